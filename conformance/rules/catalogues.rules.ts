import { rule } from './rule.ts';
import { idsOf, oddLimits, UNKNOWN_ID, unique } from './shared/calls.ts';

const catalogues = ['/document_types', '/document_categories', '/document_templates'];

rule({
  id: 'DT-1',
  level: 'MUST',
  text: 'A document type has the fields and types of the contract.',
  place: 'listDocumentTypes, DocumentType',
  check: async (t) => {
    const answer = await t.as('full').get('/document_types', { limit: 1000 });
    const { document_types } = answer.ok('listDocumentTypes');
    t.check(document_types.length > 0, 'there are no document types', answer);
  },
});

rule({
  id: 'DT-2',
  level: 'MUST',
  text: 'Without limit a page has 100 document types.',
  place: 'listDocumentTypes: limit',
  check: async (t) => {
    const page = await t.as('full').list('listDocumentTypes');
    if (page.token === '' && page.rows.length <= 100)
      t.untested('no_such_data', 'the tenant has no more than 100 document types');
    t.equal(page.rows.length, 100, 'rows without limit', page.answer);
  },
});

rule({
  id: 'DT-3',
  level: 'MUST',
  text: 'A limit above the maximum is served as the maximum.',
  place: 'listDocumentTypes: limit',
  decisions: ['D-9'],
  check: async (t) => {
    for (const limit of [1001, 5000, 2147483647]) {
      const answer = await t.as('full').get('/document_types', { limit });
      t.check(
        answer.ok('listDocumentTypes').document_types.length <= 1000,
        `limit=${limit} gave more than 1000`,
        answer,
      );
    }
  },
});

rule({
  id: 'DT-4',
  level: 'MUST',
  text: 'A malformed page token is INVALID_ARGUMENT.',
  place: 'listDocumentTypes: page_token',
  check: async (t) => {
    for (const path of catalogues) {
      for (const page_token of ['x', 'e30', '....', '{}'])
        (await t.as('full').get(path, { page_token })).blames('page_token', path);
    }
  },
});

rule({
  id: 'DT-5',
  level: 'MUST',
  text: 'The category filter of document types filters exactly, on every page, and several categories are a union.',
  place: 'listDocumentTypes: category_id',
  decisions: ['D-16'],
  needs: { fixtures: ['document_category_id'] },
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const filter = t.values.category_filter;
    const all = await full.walk('listDocumentTypes', { limit: 1000 });
    const categories = unique(all.map(({ category_id }) => category_id)).filter((id) => id !== '');
    const first = t.fixture('document_category_id');
    const wanted = (ids: string[]) => idsOf(all.filter(({ category_id }) => ids.includes(category_id)));
    const got = async (ids: string[], limit = 1000) =>
      idsOf(await full.walk('listDocumentTypes', { [filter]: ids, limit }));
    t.check(wanted([first]).length > 0, 'no type is in the category');
    for (const id of unique([first, ...categories]).slice(0, 20))
      t.equal(await got([id]), wanted([id]), 'types of one category, archived ones included');
    const second = categories.find((id) => id !== first);
    if (second) {
      t.equal(await got([first, second]), wanted([first, second]), 'types of two categories');
      t.equal(await got([first, second], 1), wanted([first, second]), 'types of two categories on pages of one');
    }
    t.equal(await got([UNKNOWN_ID]), [], 'types of an unknown category');
    t.equal(await got(['not-an-id']), [], 'types of what is no id');
  },
});

rule({
  id: 'DT-6',
  level: 'MUST',
  text: 'Only document types that the owner may see are listed, and only their templates.',
  place: 'listDocumentTypes, listDocumentTemplates, getDocumentTemplate',
  decisions: ['D-16', 'D-31'],
  needs: { keys: ['restricted_owner'], fixtures: ['document_type_hidden_from_restricted_id', 'document_type_id'] },
  check: async (t) => {
    const restricted = t.as('restricted_owner');
    const hidden = t.fixture('document_type_hidden_from_restricted_id');
    const seen = idsOf(await restricted.walk('listDocumentTypes', { limit: 1000 }));
    t.check(!seen.includes(hidden), 'the hidden type is listed');
    t.check(seen.includes(t.fixture('document_type_id')), 'the type that the owner may see is not listed');
    const templates = await restricted.walk('listDocumentTemplates', { limit: 1000 });
    t.check(templates.length > 0, 'no template of the types in view is listed');
    t.check(
      templates.every(({ type_id }) => seen.includes(type_id)),
      'a template of a hidden type is listed',
    );
    const all = await t.as('full').walk('listDocumentTemplates', { limit: 1000 });
    for (const { id } of all.filter(({ type_id }) => !seen.includes(type_id)).slice(0, 3)) {
      (await restricted.get(`/document_templates/${id}`)).fails(
        'DOCUMENT_TEMPLATE_NOT_FOUND',
        'a template of a hidden type',
      );
    }
  },
});

rule({
  id: 'DT-7',
  level: 'MUST',
  text: 'A walk lists each document type once and ends with an empty token.',
  place: 'listDocumentTypes',
  check: async (t) => {
    const { rows: all, token } = await t.as('full').list('listDocumentTypes', { limit: 1000 });
    if (all.length < 2) t.untested('no_such_data', 'there is only one document type');
    const rows = await t.as('full').walk('listDocumentTypes', { limit: Math.ceil(all.length / 4) });
    if (token === '') t.equal(idsOf(rows), idsOf(all), 'the pages of a walk and the list in one piece');
    t.equal(unique(idsOf(rows)).length, rows.length, 'types, each counted once');
  },
});

rule({
  id: 'DT-8',
  level: 'MUST',
  text: 'A page token used with another category filter or limit is INVALID_ARGUMENT.',
  place: 'listDocumentTypes: page_token',
  decisions: ['D-10'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    const filter = t.values.category_filter;
    const { token } = await full.list('listDocumentTypes', { limit: 1 });
    if (token === '') t.untested('no_such_data', 'there is only one document type');
    (await full.get('/document_types', { limit: 1, [filter]: UNKNOWN_ID, page_token: token })).blames(
      'page_token',
      'a category added',
    );
    (await full.get('/document_types', { limit: 2, page_token: token })).blames('page_token', 'another limit');
  },
});

rule({
  id: 'DT-9',
  level: 'MUST',
  text: 'An odd limit is INVALID_ARGUMENT on every catalogue.',
  place: 'listDocumentTypes, listDocumentCategories, listDocumentTemplates: limit',
  decisions: ['D-9'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const path of catalogues) {
      for (const query of oddLimits) (await full.get(path, query)).blames('limit', `${path}?${query}`);
    }
  },
});

rule({
  id: 'DT-10',
  level: 'MUST',
  text: 'The catalogues hold nothing of another tenant.',
  place: 'listDocumentTypes, listDocumentTemplates, getDocumentTemplate',
  needs: { keys: ['other_tenant'], fixtures: ['document_type_other_tenant_id'] },
  check: async (t) => {
    const [mine, theirs] = [t.as('full'), t.as('other_tenant')];
    const foreign = t.fixture('document_type_other_tenant_id');
    for (const list of ['listDocumentTypes', 'listDocumentCategories', 'listDocumentTemplates'] as const) {
      const own = new Set(idsOf(await mine.walk(list, { limit: 1000 })));
      t.check(!own.has(foreign), `${list} holds the other tenant's type`);
      const other = idsOf(await theirs.walk(list, { limit: 1000 }));
      if (list === 'listDocumentTypes') t.check(other.includes(foreign), 'the other tenant does not list its own type');
      t.check(!other.some((id) => own.has(id)), `two tenants share a row of ${list}`);
      if (list !== 'listDocumentTemplates') continue;
      for (const id of other.slice(0, 2))
        (await mine.get(`/document_templates/${id}`)).fails('DOCUMENT_TEMPLATE_NOT_FOUND');
    }
  },
});

rule({
  id: 'DT-11',
  level: 'MUST',
  text: 'A template has a whole version and a variable_schema that is an object schema; read alone it equals the list.',
  place: 'listDocumentTemplates, getDocumentTemplate, DocumentTemplate',
  decisions: ['D-16'],
  needs: { fixtures: ['document_template_id'] },
  check: async (t) => {
    const full = t.as('full');
    const rows = await full.walk('listDocumentTemplates', { limit: 1000 });
    const id = t.fixture('document_template_id');
    const listed = t.present(
      rows.find((row) => row.id === id),
      'the template is not listed',
    );
    const alone = (await full.get(`/document_templates/${id}`)).ok('getDocumentTemplate').document_template;
    t.equal(alone, listed, 'the template alone and in the list');
    for (const row of rows) {
      t.check(Number.isInteger(row.version) && row.version >= 1, `the version of ${row.id} is ${row.version}`);
      t.equal(
        (row.variable_schema as { type?: unknown }).type,
        'object',
        `the type of the variable_schema of ${row.id}`,
      );
    }
    const same = (await full.get(`/document_templates/${id}`, { version: alone.version })).ok('getDocumentTemplate');
    t.equal(same.document_template, alone, 'the latest version asked for by number');
    if (alone.version > 1) {
      const first = (await full.get(`/document_templates/${id}`, { version: 1 })).ok(
        'getDocumentTemplate',
      ).document_template;
      t.equal([first.id, first.version], [id, 1], 'the first version');
    }
  },
});

rule({
  id: 'DT-12',
  level: 'MUST',
  text: 'An unknown template, a foreign one, or an unknown version of one is 404 DOCUMENT_TEMPLATE_NOT_FOUND.',
  place: 'getDocumentTemplate',
  decisions: ['D-16'],
  needs: { fixtures: ['document_template_id', 'document_template_other_tenant_id'] },
  check: async (t) => {
    const full = t.as('full');
    const { version } = (await full.get(`/document_templates/${t.fixture('document_template_id')}`)).ok(
      'getDocumentTemplate',
    ).document_template;
    const cases: [string, object][] = [
      [UNKNOWN_ID, {}],
      [t.fixture('document_template_other_tenant_id'), {}],
      ['not-an-id', {}],
      ['%7B%22%24gt%22%3A%22%22%7D', {}],
      [t.fixture('document_template_id'), { version: version + 1 }],
      [t.fixture('document_template_id'), { version: 2147483647 }],
    ];
    for (const [id, query] of cases) {
      (await full.get(`/document_templates/${id}`, { ...query })).fails(
        'DOCUMENT_TEMPLATE_NOT_FOUND',
        `${id} ${JSON.stringify(query)}`,
      );
    }
  },
});

rule({
  id: 'DT-13',
  level: 'MUST',
  text: 'The version of a template is a plain positive integer.',
  place: 'getDocumentTemplate: version',
  decisions: ['D-16'],
  needs: { fixtures: ['document_template_id'] },
  check: async (t) => {
    const id = t.fixture('document_template_id');
    for (const query of oddLimits) {
      const odd = query.replaceAll('limit', 'version');
      (await t.as('full', { spread: true }).get(`/document_templates/${id}`, odd)).blames('version', odd);
    }
  },
});

rule({
  id: 'DT-14',
  level: 'MUST',
  text: 'type_id filters templates exactly; an unknown one matches nothing.',
  place: 'listDocumentTemplates: type_id',
  decisions: ['D-12', 'D-16'],
  needs: { fixtures: ['document_type_id'] },
  check: async (t) => {
    const full = t.as('full');
    const all = await full.walk('listDocumentTemplates', { limit: 1000 });
    const type_id = t.fixture('document_type_id');
    const got = async (id: string) => idsOf(await full.walk('listDocumentTemplates', { type_id: id, limit: 1000 }));
    t.check((await got(type_id)).length > 0, 'the fixture document_type_id has no template');
    t.equal(await got(type_id), idsOf(all.filter((row) => row.type_id === type_id)), 'templates of a type');
    for (const id of [UNKNOWN_ID, 'x', t.profile.fixtures.document_type_other_tenant_id ?? UNKNOWN_ID]) {
      t.equal(await got(id), [], 'templates of an unknown type');
    }
  },
});

rule({
  id: 'DT-15',
  level: 'MUST',
  text: 'An unknown parameter of a catalogue is INVALID_ARGUMENT.',
  place: 'listDocumentTypes, listDocumentCategories, listDocumentTemplates, getDocumentTemplate',
  decisions: ['D-12'],
  check: async (t) => {
    const full = t.as('full', { spread: true });
    for (const path of [
      ...catalogues,
      `/document_templates/${t.profile.fixtures.document_template_id ?? UNKNOWN_ID}`,
    ]) {
      for (const name of ['nothing', 'category_id[$ne]', 'type_id[]', '__proto__', 'status']) {
        (await full.get(path, `${name}=x`)).fails('INVALID_ARGUMENT', `${path}?${name}=x`);
      }
    }
  },
});

const methods = '/login_methods';

rule({
  id: 'LOGIN-1',
  level: 'MUST',
  text: 'The list of login methods has the shape of the contract.',
  place: 'listLoginMethods',
  check: async (t) => {
    const { items } = (await t.as('full').get(methods)).ok('listLoginMethods');
    if (items.length === 0) t.untested('no_such_data', 'the list is empty');
  },
});
rule({
  id: 'LOGIN-2',
  level: 'MUST',
  text: 'A key without scopes may read the login methods.',
  place: 'listLoginMethods',
  needs: { keys: ['no_scope'] },
  check: async (t) => void (await t.as('no_scope').get(methods)).ok('listLoginMethods'),
});
rule({
  id: 'LOGIN-3',
  level: 'MUST',
  text: 'A bad key that asks for the login methods gets 401 API_KEY_INVALID.',
  place: 'listLoginMethods',
  check: async (t) => {
    (await t.anonymous().get(methods)).fails('API_KEY_INVALID', 'without a key');
    (await t.anonymous().get(methods, {}, { headers: { 'X-API-Key': 'wrong' } })).fails(
      'API_KEY_INVALID',
      'with a wrong key',
    );
  },
});
rule({
  id: 'LOGIN-4',
  level: 'MUST',
  text: 'Login methods that the contract names have slugs of exactly this spelling.',
  place: 'listLoginMethods, LoginMethod',
  check: async (t) => {
    const { items } = (await t.as('full').get(methods)).ok('listLoginMethods');
    const named = ['IDP_SAML_SSO', 'EDS_CMS_QR', 'OTP_MESSENGER'];
    const folded = new Map(named.map((slug) => [slug.replaceAll('_', '').toLowerCase(), slug]));
    const found = items.map(({ slug }) => ({ slug, meant: folded.get(slug.replace(/[^A-Za-z]/g, '').toLowerCase()) }));
    if (found.every(({ meant }) => meant === undefined))
      t.untested('no_such_data', 'none of the named methods is listed');
    for (const { slug, meant } of found)
      t.check(meant === undefined || slug === meant, `${slug} should be spelled ${meant}`);
  },
});
rule({
  id: 'LOGIN-5',
  level: 'MUST',
  text: 'Slugs of login methods are unique and stable between calls.',
  place: 'listLoginMethods, LoginMethod',
  check: async (t) => {
    const slugs = async () => (await t.as('full').get(methods)).ok('listLoginMethods').items.map(({ slug }) => slug);
    const first = await slugs();
    t.equal(unique(first).length, first.length, 'slugs, each counted once');
    t.equal(await slugs(), first, 'the slugs of a second call');
  },
});
rule({
  id: 'LOGIN-6',
  level: 'MUST',
  text: 'Login methods that are off are listed or not, as the target declares.',
  place: 'listLoginMethods',
  decisions: ['D-16'],
  check: async (t) => {
    const { items } = (await t.as('full').get(methods)).ok('listLoginMethods');
    const off = items.filter(({ enabled }) => !enabled).length;
    if (t.values.login_methods === 'enabled_only') t.equal(off, 0, 'how many methods that are off are listed');
    else if (off === 0) t.untested('no_such_data', 'the target lists methods that are off, and there is none');
  },
});

rule({
  id: 'LOGIN-7',
  level: 'MUST',
  text: 'Login methods are ordered by slug.',
  place: 'listLoginMethods',
  decisions: ['D-16'],
  check: async (t) => {
    const answer = (await t.as('full').get(methods)).ok('listLoginMethods');
    const slugs = answer.items.map(({ slug }) => slug);
    if (slugs.length < 2) t.untested('no_such_data', 'fewer than two login methods are listed');
    t.equal(slugs, slugs.toSorted(), 'the slugs in the order of the answer');
  },
});
