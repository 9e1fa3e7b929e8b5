#!/bin/sh
# The commands of the container image. A program takes the place of this shell: signals and exit codes are its own.
set -eu
suites=$(cd "$(dirname "$0")/../../.." && pwd)

usage() {
  cat <<'END'
Usage: IMAGE conformance [command] [options]    judges a running instance of the developer API by its contract
       IMAGE load SCENARIO [options]            loads one with k6
       IMAGE --version

  conformance --help, --list                    options and commands; every rule
  conformance --profile profile/my.yaml         a whole run; add --plan to see what it would send
  conformance init | doctor | discover | diff | report | deferred
  load --help, --list                           options; every scenario

Where a program says `npm run conformance --` or `npm run load --`, the words here are `conformance` and `load`.
Mount the folder of your profile and its env file at /profile, and a folder for reports at /reports.
END
}

case "${1-}" in
  conformance) program=conformance/main.ts ;;
  load) program=scripts/checks/load/main.ts ;;
  -h | --help | help)
    usage
    exit 0
    ;;
  --version)
    exec node -p 'require(process.argv[1]).version' "$suites/package.json"
    ;;
  *)
    [ $# -eq 0 ] || printf 'There is no command %s.\n' "$1" >&2
    usage >&2
    exit 2
    ;;
esac
shift
exec node "$suites/$program" "$@"
