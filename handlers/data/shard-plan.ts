/** The commands that shard a deployment (D-34), for `mongosh` at a router of the cluster. */
import { SHARD_KEY } from './collection.ts';
import { SHARDABLE } from './store.ts';

export const SHARD_PLAN_USAGE = `Prints the commands that shard the database which MONGODB_DATABASE names, for the shell of a router (mongos):

  npm run -s server -- shard-plan | mongosh "mongodb://ROUTER:27017/" --file /dev/stdin

This only prints. Before you pipe it, back the database up, stop every process of the service, and let MONGODB_URI name
routers from then on. Exit codes: 0 printed, 1 wrong MONGODB_DATABASE.`;

const HEAD = `// Shards the rows of tenants by tenant_id, then _id. Everything else stays on the database's primary shard: keys, users,
// tenants, claims, catalogues, batches of ingest, jobs of Agenda.`;

/** @param database name of the database, which needs no escaping */
export function shardPlan(database: string): string {
  const key = JSON.stringify(SHARD_KEY);
  return [
    HEAD,
    '// Where a collection has rows, the index of its key has to be there before it is sharded.',
    ...SHARDABLE.map((name) => `db.getSiblingDB("${database}").getCollection("${name}").createIndex(${key});`),
    '// Needed before MongoDB 6.0 only; it does no harm later.',
    `sh.enableSharding("${database}");`,
    ...SHARDABLE.map((name) => `sh.shardCollection("${database}.${name}", ${key});`),
  ].join('\n');
}
