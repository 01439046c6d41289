#!/usr/bin/env bash
# Runs all tests of the Python package with packages of PyPI: the wheel, built with the newest pybind11, beside NumPy 2, spaCy,
# CRFsuite, KenLM, Hugging Face datasets and tokenizers, pyarrow, polars, duckdb, gensim, NLTK, faiss and fastText.
#
#   bindings/python/tests/interop.sh [FOLDER [ARGUMENTS of pytest]]      FOLDER keeps environment and wheel: build/interop
#
# PyPI must answer. What cannot be installed is named, and its tests are skipped.
set -euo pipefail
cd "$(dirname "$0")/../../.."
folder=${1:-build/interop}
shift || true
required=(build scikit-build-core "pybind11>=3" "numpy>=2" scipy pandas scikit-learn joblib cloudpickle tqdm pytest mypy)
others=(spacy sklearn-crfsuite kenlm datasets tokenizers pyarrow polars duckdb gensim nltk faiss-cpu fasttext)

"${PYTHON:-/usr/bin/python3}" -m venv "$folder/environment"
folder=$(cd "$folder" && pwd)
pip=("$folder/environment/bin/pip" install --quiet --disable-pip-version-check)
"${pip[@]}" "${required[@]}"
"${pip[@]}" "${others[@]}" || for package in "${others[@]}"; do
  "${pip[@]}" "$package" 2>"$folder/pip.log" || echo "interop: $package cannot be installed here, its tests are skipped: $(tail -n 1 "$folder/pip.log")"
done

# The wheel comes from an sdist without network, and works in an environment with nothing but numpy.
PYTHON=$folder/environment/bin/python packaging/check_wheel.sh "$folder/wheel"
"${pip[@]}" --force-reinstall --no-deps "$folder"/wheel/firth-*.whl
site=$("$folder/environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
export FIRTH_COMMAND=$folder/environment/bin/firth
run=("$folder/environment/bin/python" bindings/python/tests/run.py)
rm -rf "$folder/package"
"$folder/environment/bin/python" -m zipfile -e "$folder"/wheel/firth-*.whl "$folder/package"  # mypy wants no site-packages in its path
"${run[@]}" types "$folder/package"
"${run[@]}" package "$site" -rs -m "interop or not interop" "$@"
