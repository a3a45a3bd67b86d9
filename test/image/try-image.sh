#!/usr/bin/env bash
# Builds the Dockerfile without a Docker engine, measures the image, and lets it deliver an event.
#
#   sudo test/image/try-image.sh
#
# For machines with Debian's packages and an npm registry, but no registry of images: the base, which would be Node's image
# on Debian, is made by debootstrap and npm's package `node`. Everything else is the Dockerfile, run by buildah in a chroot.
# Needs root, `apt-get install buildah debootstrap`, and some ten minutes; so it is no part of .ci/run.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot BUILDAH_FORMAT=docker
buildah() { command buildah --root "$work/storage" --runroot "$work/run" "$@"; }
end() {
  buildah rm --all >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap end EXIT

major=$(sed -n 's/^ARG NODE_IMAGE=node:\([0-9]*\).*/\1/p' Dockerfile)
echo "── a base: Debian 12 with Node $major"
debootstrap --variant=minbase bookworm "$work/base" >"$work/debootstrap.log" || { tail "$work/debootstrap.log"; exit 1; }
rm -rf "$work"/base/var/cache/apt/* "$work"/base/var/lib/apt/lists/*
# As in Debian's image: apt keeps no cache, which would count as a part of ours.
printf 'Dir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\n' >"$work/base/etc/apt/apt.conf.d/docker-clean"
npm install --prefix "$work/node" --no-audit --no-fund --no-save "node@$major" npm@11 >"$work/node.log" 2>&1
cp -L "$work/node/node_modules/node/bin/node" "$work/base/usr/local/bin/node"
mkdir -p "$work/base/usr/local/lib/node_modules"
cp -r "$work/node/node_modules/npm" "$work/base/usr/local/lib/node_modules/npm"
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$work/base/usr/local/bin/$name"; done
chroot "$work/base" useradd --uid 1000 --user-group --create-home node
# The build reaches the registries as this machine does: with its npm settings and its certificates.
machine=$work/machine
mkdir "$machine"
cp /etc/ssl/certs/ca-certificates.crt "$machine/ca.crt"
cp "$HOME/.npmrc" "$machine/npmrc" 2>/dev/null || touch "$machine/npmrc"
container=$(buildah from scratch)
buildah add --quiet "$container" "$work/base" / >/dev/null
buildah config --env NODE_EXTRA_CA_CERTS=/machine/ca.crt --env npm_config_userconfig=/machine/npmrc "$container"
buildah commit --quiet "$container" localhost/node-base >/dev/null
buildah rm "$container" >/dev/null

echo '── the Dockerfile'
buildah bud --network host --volume "$machine:/machine:ro" --build-arg NODE_IMAGE=localhost/node-base --tag localhost/everpost . 2>&1 | sed 's/^/   /'

echo '── its size'
bytes() { du --summarize --apparent-size --block-size=1 "$(buildah mount "$1")" | cut -f 1; }
container=$(buildah from localhost/everpost)
buildah config --env NODE_EXTRA_CA_CERTS- --env npm_config_userconfig- "$container"
base=$(buildah from localhost/node-base)
mount=$(buildah mount "$container")
above=$((($(bytes "$container") - $(bytes "$base")) / 1000000))
echo "   $above MB above its base: $(du --summarize --apparent-size --block-size=1MB "$mount/app/node_modules" | cut -f 1) MB node_modules, $(du --summarize --apparent-size --block-size=1MB "$mount/app/dist" | cut -f 1) MB dist"
[ "$above" -le 130 ] || { echo 'more than 130 MB'; exit 1; }
for part in @temporalio/testing mongodb-memory-server-core node-sqlite3-wasm selfsigned typescript; do
  [ ! -e "$mount/app/node_modules/$part" ] || { echo "$part is in the image"; exit 1; }
done

echo '── it delivers'
node bootstrap/ready.js server
node test/image/deliver.mjs buildah --root "$work/storage" --runroot "$work/run" run --isolation chroot "$container"
