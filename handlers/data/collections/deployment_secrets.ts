import type { CollectionDeclaration } from '../collection.ts';

/** Secrets that all processes of a deployment share: keys if none is configured, and the one that keys digests of settings. */
export interface DeploymentSecretRow {
  _id: 'page_token' | 'storage' | 'webhook_secret' | 'agreement';
  value: string;
  create_time: Date;
}

export const deploymentSecrets: CollectionDeclaration<DeploymentSecretRow> = {
  keeps: {
    holds: 'secrets that the processes share if none is configured',
    until: 'an operator removes the database',
    because: 'a few rows',
  },
  life: {
    value: 'kept',
    create_time: 'kept',
  },
  indexes: [],
};
