import type { CollectionDeclaration } from '../collection.ts';

/** Secrets that all processes of a deployment share if none is configured. */
export interface DeploymentSecretRow {
  _id: 'page_token' | 'storage' | 'webhook_secret';
  value: string;
  create_time: Date;
}

export const deploymentSecrets: CollectionDeclaration<DeploymentSecretRow> = { indexes: [] };
