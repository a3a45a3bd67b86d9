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
rm -rf "$work/base/var/cache/apt/archives" "$work/base/var/lib/apt/lists"
npm install --prefix "$work/node" --no-audit --no-fund --no-save "node@$major" npm@11 >"$work/node.log" 2>&1
cp -L "$work/node/node_modules/node/bin/node" "$work/base/usr/local/bin/node"
mkdir -p "$work/base/usr/local/lib/node_modules"
cp -r "$work/node/node_modules/npm" "$work/base/usr/local/lib/node_modules/npm"
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$work/base/usr/local/bin/$name"; done
chroot "$work/base" useradd --uid 1000 --user-group --create-home node
container=$(buildah from scratch)
buildah add --quiet "$container" "$work/base" / >/dev/null
buildah commit --quiet "$container" localhost/node-base >/dev/null
buildah rm "$container" >/dev/null

# The build reaches the registries as this machine does: its npm settings and its certificates.
mounts=()
for file in "$HOME/.npmrc" /etc/ssl/certs/ca-certificates.crt; do [ -f "$file" ] && mounts+=(--volume "$file:/machine/$(basename "$file"):ro"); done
for part in "$HOME/.npmrc:/root/.npmrc" /etc/apt/sources.list.d:/etc/apt/sources.list.d; do [ -e "${part%%:*}" ] && mounts+=(--volume "$part:ro"); done

echo '── the Dockerfile'
buildah bud --network host "${mounts[@]}" --build-arg NODE_IMAGE=localhost/node-base --tag localhost/everpost . 2>&1 | sed 's/^/   /'

echo '── its size'
bytes() { du --summarize --apparent-size --block-size=1 "$(buildah mount "$1")" | cut -f 1; }
container=$(buildah from localhost/everpost)
base=$(buildah from localhost/node-base)
mount=$(buildah mount "$container")
above=$((($(bytes "$container") - $(bytes "$base")) / 1000000))
echo "   $above MB above its base: $(du --summarize --apparent-size --block-size=1MB "$mount/app/node_modules" | cut -f 1) MB node_modules, $(du --summarize --apparent-size --block-size=1MB "$mount/app/dist" | cut -f 1) MB dist"
[ "$above" -le 130 ] || { echo 'more than 130 MB'; exit 1; }
for part in @temporalio/testing mongodb-memory-server-core selfsigned typescript; do
  [ ! -e "$mount/app/node_modules/$part" ] || { echo "$part is in the image"; exit 1; }
done

echo '── it delivers'
node bootstrap/ready.js server
node test/image/deliver.mjs buildah --root "$work/storage" --runroot "$work/run" run --isolation chroot "$container"
