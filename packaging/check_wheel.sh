#!/usr/bin/env bash
# Builds an sdist, from it a wheel without network, installs the wheel into an empty environment and tries it.
#
#   packaging/check_wheel.sh [FOLDER]      FOLDER keeps the sdist and the wheel; the default is a temporary one
#
# PYTHON (python3) must have scikit-build-core, pybind11 (2.12 or newer), build and numpy; nothing is downloaded.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
if [ -n "${1:-}" ]; then
  folder=$1
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
export PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1

# A network of its own has nobody else in it; where that is not allowed, pip at least asks no index.
offline=()
if unshare --map-root-user --net true 2>/dev/null; then
  offline=(unshare --map-root-user --net)
else
  echo "unshare is not allowed here: the build may reach the network, but pip asks no index"
fi

rm -rf "$folder"/firth-*.tar.gz "$folder"/firth-*.whl "$folder/source" "$folder/environment"
"$python" -m build --no-isolation --sdist --outdir "$folder" . >"$folder/sdist.log"
mkdir "$folder/source"
tar -xzf "$folder"/firth-*.tar.gz -C "$folder/source" --strip-components 1
"${offline[@]}" "$python" -m pip wheel "$folder/source" --no-build-isolation --no-deps --wheel-dir "$folder" \
  --config-settings=build-dir="$folder/source/build/release" >"$folder/wheel.log"

"$python" -m venv "$folder/environment"
"${offline[@]}" "$folder/environment/bin/pip" install --quiet --no-deps "$folder"/firth-*.whl
# Nothing but numpy beside it: the package must not need more.
packages=$("$folder/environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
numpy=$("$python" -c 'import numpy, os; print(os.path.dirname(numpy.__file__))')
ln -s "$numpy" "$packages/numpy"
if [ -d "$numpy.libs" ]; then ln -s "$numpy.libs" "$packages/numpy.libs"; fi

cd "$folder"
environment/bin/python -X dev -W error - <<'END'
import pathlib

import firth

assert "environment" in firth.__file__
assert pathlib.Path(firth.__file__).with_name("py.typed").exists()
texts = ["the cat sees a dog", "a cat sees the dog", "the dog hears a cat", "a dog hears the cat"]
classes = firth.cluster(texts=texts, n_classes=3)
assert classes["cat"] == classes["dog"] and classes.labels.shape == (6,)
END
test "$(environment/bin/firth --version)" = "$(environment/bin/python -m firth --version)"
echo "$(basename "$folder"/firth-*.tar.gz) makes $(basename "$folder"/firth-*.whl), which has the package and the command"
