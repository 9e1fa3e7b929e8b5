import { type CollectionDeclaration, type TitledRow, titledCollection } from '../collection.ts';

export const locations: CollectionDeclaration<TitledRow> = titledCollection('locations');
