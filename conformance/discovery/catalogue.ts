/** Finds document types, templates and categories that fit fixtures. */
import type { DocumentTemplate, DocumentType } from '../../generated/client/types.gen.ts';
import type { Ask } from '../doctor/ask.ts';
import type { Profile } from '../profile/profile.ts';
import { spellingOf } from '../profile/spelling.ts';
import { choose, type Discovery, found, missing } from './found.ts';
import { walk } from './walk.ts';

export type Type = Pick<
  DocumentType,
  'id' | 'status' | 'category_id' | 'template_id' | 'allow_api' | 'allow_upload' | 'confidential'
>;
export type Template = Pick<DocumentTemplate, 'id' | 'status' | 'type_id' | 'version' | 'variable_schema'>;

export interface Catalogue {
  types: Type[];
  templates: Template[];
}

/** @throws UnreadableList */
export async function catalogueOf(ask: Ask, variable: string): Promise<Catalogue> {
  const types = await walk(ask, variable, '/document_types', 'document_types', (row: Type) => row);
  const templates = await walk(ask, variable, '/document_templates', 'document_templates', (row: Template) => row);
  return { types: types.rows, templates: templates.rows };
}

export interface Catalogues {
  /** The target's spelling of the status of a type or template in use. */
  active: string;
  full: Catalogue;
  restricted?: Catalogue;
  notConfidential?: Catalogue;
  other?: Catalogue;
}

/** @throws UnreadableList */
export async function cataloguesOf(ask: Ask, { keys, values }: Pick<Profile, 'keys' | 'values'>): Promise<Catalogues> {
  const { ACTIVE: active } = spellingOf(values).catalogue_status;
  const all: Catalogues = { active, full: await catalogueOf(ask, keys.full[0] ?? '') };
  if (keys.restricted_owner) all.restricted = await catalogueOf(ask, keys.restricted_owner);
  if (keys.not_confidential_owner) all.notConfidential = await catalogueOf(ask, keys.not_confidential_owner);
  if (keys.other_tenant) all.other = await catalogueOf(ask, keys.other_tenant);
  return all;
}

const isOpen = (type: Type) => type.allow_api && type.allow_upload;

/**
 * Active templates with a required variable, of an active type that both owners see and that takes templates and
 * uploads.
 */
export function mainTemplates({ active, full, restricted }: Catalogues): Template[] {
  const shared = restricted && new Set(restricted.types.map(({ id }) => id));
  const types = new Map(full.types.map((type) => [type.id, type]));
  const fits = full.templates.filter(({ type_id, variable_schema, ...rest }) => {
    const type = types.get(type_id);
    const usable = type?.status === active && isOpen(type) && (shared?.has(type_id) ?? true);
    return usable && rest.status === active && (variable_schema.required ?? []).length > 0;
  });
  // Prefer other types to confidential ones, whose documents are hidden from some owners. Prefer a type with a
  // category, which is itself a fixture, and later versions, since rules about versions need several.
  const rank = ({ type_id, version }: Template) => {
    const type = types.get(type_id);
    return (type?.confidential ? 4 : 0) + (type?.category_id ? 0 : 2) + (version > 1 ? 0 : 1);
  };
  return fits.sort((a, b) => rank(a) - rank(b));
}

const idsOf = (types: readonly Type[]) => types.map(({ id }) => id);

export function catalogueFound(catalogues: Catalogues): Discovery[] {
  return [
    ...mainFound(catalogues),
    ...hiddenFound(catalogues),
    ...closedFound(catalogues),
    ...foreignFound(catalogues),
  ];
}

/** The template that documents are made from, with its type, and a category. */
function mainFound(catalogues: Catalogues): Discovery[] {
  const { full, restricted } = catalogues;
  const templates = mainTemplates(catalogues);
  const typeIds = [...new Set(templates.map(({ type_id }) => type_id))];
  const [main] = typeIds;
  const whose = restricted ? 'full and restricted_owner' : 'full';
  const noTemplate = `no active template with a required variable belongs to an active type that ${whose} see and that takes documents of the interface and uploads`;
  const categories = full.types.map(({ category_id }) => category_id).filter((id) => id !== '');
  const ofMain = full.types.find(({ id }) => id === main)?.category_id ?? '';
  return [
    choose(
      'document_template_id',
      templates.filter(({ type_id }) => type_id === main).map(({ id }) => id),
      'active, with a required variable',
      noTemplate,
    ),
    choose('document_type_id', typeIds, `type of that template, listed by ${whose}`, noTemplate),
    choose(
      'document_category_id',
      [...new Set([ofMain, ...categories])].filter((id) => id !== ''),
      'of a listed type',
      'no listed type is in a category',
    ),
  ];
}

/** Types that some owners do not see. */
function hiddenFound({ active, full, restricted, notConfidential }: Catalogues): Discovery[] {
  const shared = new Set(restricted?.types.map(({ id }) => id));
  const usable = full.types.filter((type) => type.status === active && isOpen(type));
  const usableIds = new Set(idsOf(usable));
  return [
    restricted
      ? choose(
          'document_type_hidden_from_restricted_id',
          idsOf(usable.filter(({ id }) => !shared.has(id))),
          'active, takes uploads of the interface, listed by full, not by restricted_owner',
          'restricted_owner lists every active type that takes uploads of the interface; give that key an owner who sees fewer',
        )
      : missing('document_type_hidden_from_restricted_id', 'the profile has no key restricted_owner'),
    notConfidential
      ? choose(
          'document_type_confidential_id',
          idsOf(notConfidential.types.filter((type) => type.confidential && usableIds.has(type.id))),
          'active and confidential, takes uploads of the interface, listed by full and not_confidential_owner',
          'no active type that takes uploads of the interface is confidential and listed by full and not_confidential_owner',
        )
      : missing('document_type_confidential_id', 'the profile has no key not_confidential_owner'),
  ];
}

/** Types that do not take every document. */
function closedFound({ active: status, full }: Catalogues): Discovery[] {
  const active = full.types.filter((type) => type.status === status);
  return [
    choose(
      'document_type_no_api_id',
      idsOf(active.filter(({ allow_api, allow_upload }) => !allow_api && allow_upload)),
      'active, with allow_upload, without allow_api',
      'no active type has allow_upload without allow_api',
    ),
    choose(
      'document_type_no_upload_id',
      idsOf(active.filter(({ allow_api, allow_upload }) => allow_api && !allow_upload)),
      'active, with allow_api, without allow_upload',
      'no active type has allow_api without allow_upload',
    ),
    choose(
      'document_type_archived_id',
      idsOf(full.types.filter((type) => type.status !== status && isOpen(type))),
      'archived, with allow_api and allow_upload',
      'no archived type has allow_api and allow_upload',
    ),
  ];
}

/** A template of another tenant, with its type. */
function foreignFound({ other }: Catalogues): Discovery[] {
  const theirs = other?.templates[0];
  if (theirs) {
    return [
      found('document_template_other_tenant_id', theirs.id, 'listed by other_tenant'),
      found('document_type_other_tenant_id', theirs.type_id, 'type of that template'),
    ];
  }
  const why = other ? 'other_tenant lists no template' : 'the profile has no key other_tenant';
  return [missing('document_template_other_tenant_id', why), missing('document_type_other_tenant_id', why)];
}
