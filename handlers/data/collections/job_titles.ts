import { type CollectionDeclaration, type TitledRow, titledCollection } from '../collection.ts';

export const jobTitles: CollectionDeclaration<TitledRow> = titledCollection('job titles');
