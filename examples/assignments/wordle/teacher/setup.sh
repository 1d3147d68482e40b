#!/bin/sh
# Gradescope runs this once, when it makes the image of the autograder. It installs wordle-kit from the copy
# next to assignment.toml: its wheel, wordle_kit-*.whl, or its source, in a folder called wordle-kit. To use a folder
# other than /autograder, give it as the first argument or in AUTOGRADER_ROOT. wordle-kit goes to WORDLE_KIT_HOME and is
# linked into WORDLE_KIT_BIN.
set -eu
root="${1:-${AUTOGRADER_ROOT:-/autograder}}"
home="${WORDLE_KIT_HOME:-/opt/wordle-kit}"
bin="${WORDLE_KIT_BIN:-/usr/local/bin}"
package=""
for found in "$root"/source/wordle-kit "$root"/source/wordle_kit-*.whl; do
    [ -e "$found" ] && package="$found"
done
if [ -z "$package" ]; then
    echo "setup.sh: there is neither wordle_kit-*.whl nor a folder wordle-kit in $root/source; put one there" >&2
    exit 1
fi
apt-get update
apt-get install -y bubblewrap libseccomp2 python3 python3-venv
python3 -m venv "$home"
"$home/bin/pip" install "$package[sandbox]"
if [ -e "$root/source/requirements.txt" ]; then # modules that the assignment allows besides numpy
    "$home/bin/pip" install -r "$root/source/requirements.txt"
fi
mkdir -p "$bin"
ln -sf "$home/bin/wordle-kit" "$bin/wordle-kit"
