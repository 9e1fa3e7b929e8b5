#!/bin/sh
# Makes the bucket of the service with its versioning, its policy and its lifecycle, by the AWS CLI; again, it changes
# nothing. S3_BUCKET and S3_ENDPOINT name it; SECRETS is the folder of deploy/secrets.sh, as mounted by default. The policy
# is for the users whose access keys are its arguments, by default for that of the folder.
set -eu
secrets=${SECRETS:-/run/secrets}
here=$(cd "$(dirname "$0")" && pwd)
AWS_ACCESS_KEY_ID=$(cat "$secrets/s3-root-access-key-id")
AWS_SECRET_ACCESS_KEY=$(cat "$secrets/s3-root-secret-access-key")
AWS_DEFAULT_REGION=${S3_REGION:-us-east-1}
export AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_DEFAULT_REGION

[ $# -ge 1 ] || set -- "$(cat "$secrets/s3-access-key-id")"
users=$(printf '","%s' "$@")

s3() { aws --endpoint-url "$S3_ENDPOINT" s3api "$@" --bucket "$S3_BUCKET"; }

s3 head-bucket > /dev/null 2>&1 || s3 create-bucket
s3 put-bucket-versioning --versioning-configuration Status=Enabled
s3 put-bucket-policy --policy "$(sed -e "s/\${S3_BUCKET}/$S3_BUCKET/g" \
  -e "s|\${S3_ACCESS_KEY_ID}|${users#'","'}|g" "$here/bucket-policy.json")"
# Not every service has lifecycles; without one, uploads in parts that nobody completes stay.
s3 put-bucket-lifecycle-configuration --lifecycle-configuration "file://$here/bucket-lifecycle.json" ||
  echo 'The storage has no lifecycles: remove uploads in parts that nobody completes by its own tool.' >&2
