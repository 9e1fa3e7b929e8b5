import { type CollectionDeclaration, type TitledRow, titledCollection } from '../collection.ts';

export const organizations: CollectionDeclaration<TitledRow> = titledCollection('legal entities', 'organisations');
