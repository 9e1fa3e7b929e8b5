import { type CollectionDeclaration, query } from '../collection.ts';

/** `_id` is `<template_id>:<version>`. A version is never changed once it is published. */
export interface DocumentTemplateVersionRow {
  _id: string;
  tenant_id: string;
  template_id: string;
  version: number;
  variable_schema: string;
  /**
   * The content to print, as JSON text: the blocks of `handlers/documents/templates/content.ts`. Missing in versions
   * that an earlier release of the service wrote.
   */
  content?: string;
  create_time: Date;
}

export const documentTemplateVersions: CollectionDeclaration<DocumentTemplateVersionRow> = {
  keeps: {
    holds: 'every published version of a template',
    until: 'the tenant is deleted',
    because: 'documents name the version that they were made from',
  },
  life: {
    template_id: 'kept',
    version: 'kept',
    variable_schema: 'kept',
    content: 'kept',
    create_time: 'kept',
  },
  indexes: [
    {
      key: { tenant_id: 1, template_id: 1, version: -1 },
      serves: [query.remove('seed: all template versions of a tenant')],
    },
  ],
};
