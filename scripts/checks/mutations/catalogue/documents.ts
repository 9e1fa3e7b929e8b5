import type { Area } from '../mutation.ts';

/** Documents as they are read: lists, search, downloads; and the catalogues of types, templates and login methods. */
export const documents: Area = {
  name: 'documents',
  sections: ['DREAD', 'DT', 'PRIV', 'DOC'],
  mutations: [
    {
      id: 'schema-of-newest-version-shown',
      file: 'handlers/document_templates/getDocumentTemplate.ts',
      find: "return { document_template: documentTemplateView(row, version ?? fail('DOCUMENT_TEMPLATE_NOT_FOUND')) };",
      replace:
        "return { document_template: documentTemplateView(row, { ...row, version: (version ?? fail('DOCUMENT_TEMPLATE_NOT_FOUND')).version }) };",
      customer: 'An earlier version of a template is shown with the variables of the newest.',
      sections: ['DT'],
    },
    {
      id: 'template-filter-ignored',
      file: 'handlers/document_templates/listDocumentTemplates.ts',
      find: 'page(documentTemplateList, query)',
      replace: 'page(documentTemplateList, { ...query, type_id: undefined })',
      customer: 'The list of templates ignores type_id.',
      sections: ['DT'],
    },
    {
      id: 'disabled-login-methods-listed',
      file: 'handlers/login_methods/listLoginMethods.ts',
      find: '.list({ enabled: true, ...condition }, { slug: 1 })',
      replace: '.list(condition, { slug: 1 })',
      customer: 'Login methods that are switched off are offered.',
      sections: ['LOGIN'],
    },
    {
      id: 'created-after-inclusive',
      file: 'handlers/data/list.ts',
      find: "after: { operator: '$gt'",
      replace: "after: { operator: '$gte'",
      customer: 'A document that was made at the very instant is read again by every synchronisation.',
    },
    {
      id: 'search-case-sensitive',
      file: 'handlers/documents/search.ts',
      find: "text.normalize('NFC').toLowerCase()",
      replace: "text.normalize('NFC')",
      customer: 'A search in lower case does not find a title that begins with a capital letter.',
    },
    {
      id: 'final-sigma-kept',
      file: 'handlers/documents/search.ts',
      find: ".replaceAll('ς', 'σ')",
      replace: '',
      customer: 'A search in capital letters does not find a Greek word that ends with ς.',
      rule: 'DREAD-6',
    },
    {
      id: 'search-not-normalised',
      file: 'handlers/documents/search.ts',
      find: "text.normalize('NFC').toLowerCase()",
      replace: 'text.toLowerCase()',
      customer: 'A search with й typed in two characters finds nothing.',
    },
    {
      id: 'search-in-titles-alone',
      file: 'handlers/documents/search.ts',
      find: 'search_keys: [...new Set([...gramsOf(a), ...gramsOf(b)])]',
      replace: 'search_keys: [...new Set(gramsOf(a))]',
      customer: 'A search for a registration number finds nothing.',
    },
    {
      id: 'search-not-literal',
      file: 'handlers/documents/search.ts',
      find: '$regex: literally(text)',
      replace: '$regex: text',
      customer: 'A search for "п. 3" also finds "пп 3", and one for "(a" fails.',
    },
    {
      id: 'download-of-any-file',
      file: 'handlers/documents/downloadDocument.ts',
      find: "wanted === undefined ? file_type === 'FILE_TYPE_PDF' : file_id === wanted,",
      replace: "wanted === undefined ? file_type === 'FILE_TYPE_PDF' : file_id !== '',",
      customer: 'Asked for a signature, the download gives the main PDF.',
    },
    {
      id: 'download-of-signed-pdf-by-default',
      file: 'handlers/documents/downloadDocument.ts',
      find: "wanted === undefined ? file_type === 'FILE_TYPE_PDF' :",
      replace:
        "wanted === undefined ? file_type !== 'FILE_TYPE_SIGNATURE' && (file_type === 'FILE_TYPE_SIGNED_PDF' || files.length === 1) :",
      customer: 'The download without file_id gives another file than the main PDF.',
    },
    {
      id: 'download-url-for-a-day',
      file: 'handlers/documents/downloadDocument.ts',
      find: 'const url = await storage.downloadUrl(object, { filename, content_type }, LIFETIME_MS);',
      replace: 'const url = await storage.downloadUrl(object, { filename, content_type }, 288 * LIFETIME_MS);',
      customer: 'A link that leaked works for a day, not for five minutes.',
    },
    {
      id: 'deleted-document-readable',
      file: 'handlers/access/caller.ts',
      find: 'open).map((condition) => ({ listed: true, ...condition }))',
      replace: 'open)',
      customer: 'A deleted document is still read.',
      sections: ['DREAD', 'FLOW', 'DOC'],
    },
    {
      id: 'login-methods-by-title',
      file: 'handlers/login_methods/listLoginMethods.ts',
      find: 'list({ enabled: true, ...condition }, { slug: 1 })',
      replace: 'list({ enabled: true, ...condition }, { title: 1 })',
      customer: 'Login methods come sorted by title and not by slug.',
      rule: 'LOGIN-7',
    },
    {
      id: 'types-unfiltered-on-later-pages',
      file: 'handlers/data/list.ts',
      find: 'conditions.push({ [filter.field]: condition });',
      replace:
        "if (name !== 'category_id' || !('page_token' in query)) conditions.push({ [filter.field]: condition });",
      customer:
        'GET /document_types with category_id filters the first page only: from the second page on, types of other categories appear.',
      rule: 'DT-5',
    },
    {
      id: 'type-filter-drops-created-after',
      file: 'handlers/data/list.ts',
      find: 'conditions.push({ [filter.field]: condition });',
      replace: "if (name !== 'created_after' || !('type_id' in query)) conditions.push({ [filter.field]: condition });",
      customer:
        'GET /documents with both type_id and created_after also returns documents of the type that were created before that instant.',
      rule: 'DREAD-4',
    },
    {
      id: 'search-of-decomposed-text',
      file: 'handlers/documents/search.ts',
      find: "text.normalize('NFC').toLowerCase()",
      replace: "text.normalize('NFD').toLowerCase()",
      customer:
        "A search for 'все' also returns documents titled 'всё' (and 'кои' finds 'кой'), although the contract says that ё is not е.",
      rule: 'DREAD-6',
    },
    {
      id: 'archived-types-lost-under-a-filter',
      file: 'handlers/data/list.ts',
      find: 'conditions.push({ [filter.field]: condition });',
      replace: "conditions.push({ [filter.field]: condition, ...(name === 'category_id' && { status: 'ACTIVE' }) });",
      customer:
        'GET /document_types with category_id leaves out the archived types of that category, which the list without a filter shows.',
      rule: 'DT-5',
    },
  ],
};
