#!/bin/sh
# Makes the secrets and the certificates of a deployment, once: sh deploy/secrets.sh FOLDER [NAME …]
# The names, or addresses, are those under which clients reach the terminator; by default localhost and 127.0.0.1.
# A file that exists stays as it is. The folder is only for its owner, and for the group that SECRETS_GROUP names: that of
# the service's user. The files in it are for all, because container engines hand them to other users as they are; with a
# group, what only administrators and other programs need is for the owner alone. It needs openssl.
set -eu

[ $# -ge 1 ] || { echo "usage: sh deploy/secrets.sh FOLDER [NAME ...]" >&2; exit 2; }
folder=$1
shift
[ $# -ge 1 ] || set -- localhost 127.0.0.1

# Where the members of the replica set are, its name, and where a process of the service finds the authority.
hosts=${MONGODB_HOSTS:-mongod-1:27017,mongod-2:27017,mongod-3:27017}
set=${MONGODB_SET:-rs0}
ca_file=${MONGODB_CA_FILE:-/run/secrets/ca.pem}

umask 077
mkdir -p "$folder"
cd "$folder"
chmod 700 .
if [ -n "${SECRETS_GROUP:-}" ]; then
  chgrp "$SECRETS_GROUP" .
  chmod 750 .
fi

# A file with what a command prints, unless it exists. A command that fails leaves none.
once() {
  file=$1
  shift
  [ -e "$file" ] && return
  "$@" > "$file.new"
  chmod 444 "$file.new"
  mv "$file.new" "$file"
}

text() { openssl rand -hex 24 | tr -d '\n'; }
id() { openssl rand -hex 10 | tr -d '\n'; }
key() { openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n'; }

names() {
  list=''
  for name in "$@"; do
    case $name in *[!0-9.]*) list="$list,DNS:$name" ;; *) list="$list,IP:$name" ;; esac
  done
  echo "${list#,}"
}

# A certificate of the authority with its key, in one file, for these names.
certificate() {
  subject=$1
  shift
  rm -rf .making
  mkdir .making
  openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$subject" \
    -keyout .making/key.pem -out .making/request.pem 2> .making/said || { cat .making/said >&2; exit 1; }
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$(names "$@")" > .making/extensions
  openssl x509 -req -in .making/request.pem -CA ca.pem -CAkey ca-key.pem -days 365 -extfile .making/extensions \
    2> .making/said || { cat .making/said >&2; exit 1; }
  cat .making/key.pem
  rm -r .making
}

if [ ! -e ca.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj '/CN=developer-api private CA' \
    -keyout ca-key.pem -out ca.pem 2> /dev/null
  chmod 444 ca.pem
fi
# Only for signing further certificates: keep it elsewhere once the deployment is made.
[ ! -e ca-key.pem ] || chmod 400 ca-key.pem

once terminator.pem certificate terminator "$@"
once mongod.pem certificate mongod localhost 127.0.0.1 $(echo "$hosts" | tr ',' '\n' | sed 's/:[0-9]*$//' | sort -u)
once mongod-keyfile openssl rand -base64 384
once mongodb-root-password text
once mongodb-password text
once mongodb-uri printf '%s' "mongodb://developer_api:$(cat mongodb-password)@$hosts/?replicaSet=$set&tls=true&tlsCAFile=$ca_file"
once s3-root-access-key-id id
once s3-root-secret-access-key text
once s3-access-key-id id
once s3-secret-access-key text
once page-token-keys key
once webhook-secret-keys key
once grafana-password text

[ -z "${SECRETS_GROUP:-}" ] ||
  chmod 400 *root* mongod.pem mongod-keyfile mongodb-password grafana-password terminator.pem
