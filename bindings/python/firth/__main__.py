"""`python -m firth ...` runs the command that came with the package, or the one of the system."""

import os
import shutil
import sys
import sysconfig


def main() -> int:
    """Becomes the command."""
    command = os.path.join(sysconfig.get_path("scripts"), "firth")
    found = command if os.path.exists(command) else shutil.which("firth")
    if found is None:
        print("the command firth is not installed", file=sys.stderr)
        return 1
    os.execv(found, [found, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
