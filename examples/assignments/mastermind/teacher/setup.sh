#!/bin/sh
# Gradescope runs this once, when the image of the autograder is made. The folder /autograder can be another one: the
# first argument, or AUTOGRADER_ROOT. wordle-kit goes to WORDLE_KIT_HOME and is linked into WORDLE_KIT_BIN.
set -eu
root="${1:-${AUTOGRADER_ROOT:-/autograder}}"
home="${WORDLE_KIT_HOME:-/opt/wordle-kit}"
apt-get update
apt-get install -y bubblewrap python3 python3-venv
python3 -m venv "$home"
package=wordle-kit
for wheel in "$root"/source/wordle_kit-*.whl; do
    [ -e "$wheel" ] && package="$wheel"
done
"$home/bin/pip" install "$package"
ln -sf "$home/bin/wordle-kit" "${WORDLE_KIT_BIN:-/usr/local/bin}/wordle-kit"
