import { rulesWith } from './rule.ts';
import { idsOf, unique } from './shared/calls.ts';

const rule = rulesWith({ decisions: ['D-16'] });

rule({
  id: 'DT-6',
  text: 'Only document types that the owner may see are listed, and only their templates.',
  place: 'listDocumentTypes, listDocumentTemplates, getDocumentTemplate',
  decisions: ['D-16', 'D-31'],
  check: async (t, full) => {
    const restricted = t.as('restricted_owner');
    const hidden = t.fixture('document_type_hidden_from_restricted_id');
    const seen = idsOf(await restricted.walk('listDocumentTypes'));
    t.check(!seen.includes(hidden), 'the hidden type is listed');
    t.check(seen.includes(t.fixture('document_type_id')), 'the type that the owner may see is not listed');
    const templates = await restricted.walk('listDocumentTemplates');
    t.check(templates.length > 0, 'no template of the types in view is listed');
    const isSeen = ({ type_id }: { type_id: string }) => seen.includes(type_id);
    t.check(templates.every(isSeen), 'a template of a hidden type is listed');
    const all = await full.walk('listDocumentTemplates');
    for (const { id } of all.filter((one) => !isSeen(one)).slice(0, 3)) {
      const hidden = await restricted.get(`/document_templates/${id}`);
      hidden.fails('DOCUMENT_TEMPLATE_NOT_FOUND', 'a template of a hidden type');
    }
  },
});

rule({
  id: 'DT-11',
  text: 'A template has a whole version and a variable_schema that is an object schema; each of its versions can be read, and one that it does not have is DOCUMENT_TEMPLATE_NOT_FOUND.',
  place: 'listDocumentTemplates, getDocumentTemplate, DocumentTemplate',
  check: async (t, full) => {
    const rows = await full.walk('listDocumentTemplates');
    const id = t.fixture('document_template_id');
    const alone = (await full.get(`/document_templates/${id}`)).ok('getDocumentTemplate').document_template;
    for (const row of rows) {
      t.check(Number.isInteger(row.version) && row.version >= 1, `the version of ${row.id} is ${row.version}`);
      const { type } = row.variable_schema as { type?: unknown };
      t.equal(type, 'object', `the type of the variable_schema of ${row.id}`);
    }
    const versioned = (version: number) => full.get(`/document_templates/${id}`, { version });
    const same = (await versioned(alone.version)).ok('getDocumentTemplate');
    t.equal(same.document_template, alone, 'the latest version asked for by number');
    const first = (await versioned(1)).ok('getDocumentTemplate').document_template;
    t.equal([first.id, first.version], [id, 1], 'the first version');
    for (const version of [alone.version + 1, 2147483647])
      (await versioned(version)).fails('DOCUMENT_TEMPLATE_NOT_FOUND', `version ${version}`);
  },
});

rule({
  id: 'DT-16',
  text: 'The rows of catalogues fit together: a category that one names is listed, a template has the category of its type, and the template of a type is one of its templates.',
  place: 'listDocumentTypes, listDocumentTemplates, listDocumentCategories',
  check: async (t, full) => {
    const [types, templates, categories] = await Promise.all([
      full.walk('listDocumentTypes'),
      full.walk('listDocumentTemplates'),
      full.walk('listDocumentCategories'),
    ]);
    const listed = new Set(['', ...idsOf(categories)]);
    for (const { id, parent_id } of categories) t.check(listed.has(parent_id), `the parent of ${id} is not listed`);
    for (const { id, type_id, category_id } of templates) {
      const type = types.find((one) => one.id === type_id);
      t.check(type !== undefined, `the type of the template ${id} is not listed`);
      t.equal(category_id, type?.category_id, `the category of the template ${id} and that of its type`);
    }
    for (const { id, category_id, template_id } of types) {
      t.check(listed.has(category_id), `the category of the type ${id} is not listed`);
      const own = templates.filter(({ type_id }) => type_id === id);
      t.check(template_id === '' || idsOf(own).includes(template_id), `the template of the type ${id} is not its own`);
    }
    if (types.every(({ template_id }) => template_id === '') || categories.every(({ parent_id }) => parent_id === ''))
      t.untested('no_such_data', 'no type names a template, or no category a parent');
  },
});

rule({
  id: 'DT-17',
  text: 'What a document type shows of itself is what creations are judged by: its status, and whether it allows the interface, uploads, and is confidential.',
  place: 'listDocumentTypes, DocumentType',
  decisions: ['D-16', 'D-17'],
  check: async (t, full) => {
    const { ACTIVE, ARCHIVED } = t.spelling.catalogue_status;
    const types = await full.walk('listDocumentTypes');
    for (const [fixture, shown] of [
      ['document_type_id', { status: ACTIVE, allow_api: true, allow_upload: true }],
      ['document_type_no_api_id', { allow_api: false }],
      ['document_type_no_upload_id', { allow_api: true, allow_upload: false }],
      ['document_type_archived_id', { status: ARCHIVED }],
      ['document_type_confidential_id', { confidential: true }],
    ] as const) {
      const type = t.present(
        types.find(({ id }) => id === t.fixture(fixture)),
        `the type of ${fixture} is not listed`,
      );
      t.equal(type, { ...type, ...shown }, `what the type of ${fixture} shows`);
    }
    const usable = await full.get(`/document_templates/${t.fixture('document_template_id')}`);
    t.equal(usable.ok('getDocumentTemplate').document_template.status, ACTIVE, 'the status of the template', usable);
  },
});

rule({
  id: 'LOGIN-4',
  text: 'Login methods are ordered by slug, each listed once and the same in every call; those that the contract names have slugs of exactly this spelling. Those that are off are listed only if the target declares it.',
  place: 'listLoginMethods, LoginMethod',
  check: async (t, full) => {
    const listed = async () => (await full.get('/login_methods')).ok('listLoginMethods').items;
    const read = async () => (await listed()).map(({ slug }) => slug);
    const slugs = await read();
    const isOn = (await listed()).every(({ enabled }) => enabled);
    t.check(isOn || t.values.login_methods !== 'enabled_only', 'a method that is off is listed');
    t.equal(slugs, unique(slugs).toSorted(), 'the slugs in the order of the answer');
    t.equal(await read(), slugs, 'the slugs of a second call');
    const named = ['IDP_SAML_SSO', 'EDS_CMS_QR', 'OTP_MESSENGER'];
    const folded = new Map(named.map((slug) => [slug.replaceAll('_', '').toLowerCase(), slug]));
    const found = slugs.map((slug) => ({ slug, meant: folded.get(slug.replace(/[^A-Za-z]/g, '').toLowerCase()) }));
    for (const { slug, meant } of found)
      t.check(meant === undefined || slug === meant, `${slug} should be spelled ${meant}`);
    if (found.length < 2 || found.every(({ meant }) => meant === undefined))
      t.untested('no_such_data', 'fewer than two login methods are listed, or none of the named ones');
  },
});
