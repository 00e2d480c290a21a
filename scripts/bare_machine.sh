#!/bin/sh
# Runs the commands of the README on a bare Debian 12 in a folder: as root, which installs packages, and then as a user
# without root and sudo, who finds them installed.
# usage: bare_machine.sh FOLDER [COMMAND...], as root; the commands are those of ./dev (default: demo test).
# FOLDER is made by debootstrap (about 300 MB, with packages and builds 4 GB), and reused if it exists.
set -eu

die() {
  printf '%s\n' "bare_machine: $*" >&2
  exit 1
}

[ $# -ge 1 ] || die "usage: bare_machine.sh FOLDER [COMMAND...]"
[ "$(id -u)" = 0 ] || die "debootstrap and chroot need root"
command -v debootstrap >/dev/null || die "debootstrap not found (Debian: debootstrap)"
folder=$1
shift
[ $# -gt 0 ] || set -- demo test
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

if [ ! -x "$folder/bin/sh" ]; then
  debootstrap --variant=minbase bookworm "$folder" "${ACCRETE_MIRROR:-http://deb.debian.org/debian}" >/dev/null
fi
cp /etc/resolv.conf "$folder/etc/resolv.conf"
# Host entries and certificates of a network with a proxy of its own. Not in /etc/ssl, where a package writes its own.
cp /etc/hosts "$folder/etc/hosts"
[ -z "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$folder/etc/pip-certificates.crt"
folder=$(CDPATH='' cd -- "$folder" && pwd)
if [ ! -e "$folder/proc/self" ]; then
  mount -t proc proc "$folder/proc"
  trap 'umount "$folder/proc"' EXIT
  trap 'exit 1' HUP INT TERM
fi

# inside COMMAND...: run in the folder with an empty environment.
inside() {
  chroot "$folder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 ACCRETE_JOBS="${ACCRETE_JOBS:-2}" \
    ${PIP_CERT:+PIP_CERT=/etc/pip-certificates.crt} "$@"
}

# checkout_for USER HOME: a copy of the files that git tracks, without the build folder of an earlier run.
checkout_for() {
  rm -rf "$folder$2/accrete"
  mkdir -p "$folder$2/accrete"
  git -C "$checkout" archive HEAD | tar -x -C "$folder$2/accrete"
  inside chown -R "$1" "$2/accrete"
}

checkout_for root /root
for command in "$@"; do
  printf '%s\n' "bare_machine: ./dev $command as root"
  inside HOME=/root sh -c "cd /root/accrete && ./dev $command" || die "./dev $command failed as root"
done

inside id user >/dev/null 2>&1 || inside useradd --create-home user
checkout_for user /home/user
for command in "$@"; do
  printf '%s\n' "bare_machine: ./dev $command without root"
  inside HOME=/home/user setpriv --reuid user --regid user --clear-groups sh -c "cd /home/user/accrete && ./dev $command" ||
    die "./dev $command failed without root"
done
printf '%s\n' "bare_machine: passed"
