#!/bin/sh
# Installs from Debian what the tests need: three browser engines, a virtual display, fonts for the pictures, a WebDAV server, PostgreSQL.
# Packages as arguments: only those. Does nothing when all is there; without root it only says what is missing. Fails only when an
# installation fails.
set -eu

packages=${*:-chromium firefox-esr webkit2gtk-driver xvfb fonts-noto-core fonts-noto-cjk apache2 postgresql}
started=$(date +%s)

# Ubuntu has dpkg too, but its browser packages are only pointers to snaps.
if ! grep -qs '^ID=debian' /etc/os-release; then
  echo "browsers: this is not Debian; install Chromium, Firefox, WebKitGTK's driver and PostgreSQL yourself, or set" \
    'SCRUBJAY_CHROMIUM, SCRUBJAY_FIREFOX, SCRUBJAY_WEBKIT_DRIVER'
  exit 0
fi

missing=''
for package in $packages; do
  version=$(dpkg-query --show --showformat='${db:Status-Status} ${Version}' "$package" 2>/dev/null) || version=''
  case $version in
    'installed '*) echo "browsers: found $package ${version#installed }" ;;
    *) missing="$missing $package" ;;
  esac
done

if [ -z "$missing" ]; then
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "browsers: missing. As root: apt-get update && apt-get install --no-install-recommends$missing"
  exit 0
fi

echo "browsers: installing$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get -q -o Acquire::Retries=3 update
# Unquoted on purpose: one argument a package.
# shellcheck disable=SC2086
apt-get -q -y -o Acquire::Retries=3 install --no-install-recommends $missing
echo "browsers: installed$missing in $(($(date +%s) - started)) s"
