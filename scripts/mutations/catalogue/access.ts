import type { Area } from '../mutation.ts';

/** Who calls, and what they see: keys, scopes, permission profiles. */
export const access: Area = {
  name: 'access',
  sections: ['AUTH', 'SCOPE', 'RED', 'PRIV'],
  mutations: [
    {
      id: 'inactive-key-accepted',
      file: 'handlers/access/credentials.ts',
      find: '    key.active &&\n',
      replace: '',
      customer: 'A key that was switched off goes on working.',
    },
    {
      id: 'expired-key-accepted',
      file: 'handlers/access/credentials.ts',
      find: 'key.expires_at.getTime() > nowMs()',
      replace: 'key.expires_at.getTime() > 0',
      customer: 'A key works after the day on which it expires.',
    },
    {
      id: 'removed-owner-accepted',
      file: 'handlers/access/credentials.ts',
      find: '    owner.removed_at === null &&\n',
      replace: '',
      customer: 'The key of somebody who was removed from the tenant goes on working.',
    },
    {
      id: 'credentials-cached-for-a-minute',
      file: 'handlers/access/credentials.ts',
      find: `export async function findCredentials(store: Store, secret: string): Promise<Credentials | undefined> {
  if (!isWellFormedKey(secret)) return undefined;`,
      replace: `const cachedCredentials = new Map<string, { until: number; found: Promise<Credentials | undefined> }>();
export function findCredentials(store: Store, secret: string): Promise<Credentials | undefined> {
  const cached = cachedCredentials.get(secret);
  if (cached !== undefined && cached.until > nowMs()) return cached.found;
  const found = freshCredentials(store, secret);
  cachedCredentials.set(secret, { until: nowMs() + 60_000, found });
  return found;
}
async function freshCredentials(store: Store, secret: string): Promise<Credentials | undefined> {
  if (!isWellFormedKey(secret)) return undefined;`,
      customer: 'A revoked key works for another minute, and changes of permissions take as long.',
    },
    {
      id: 'checksum-of-key-not-checked',
      file: 'handlers/access/keys.ts',
      find: 'return checksum(text.slice(0, end)) === text.slice(end);',
      replace: 'return end > 0;',
      customer: 'Nothing: a mistyped key is refused all the same, only later.',
      reason: 'The checksum spares the store a look-up; the answer is the same 401.',
    },
    {
      id: 'ingest-with-super-admin-owner-alone',
      file: 'handlers/access/caller.ts',
      find: '!(key.created_by_super_admin && owner.super_admin)',
      replace: '!owner.super_admin',
      customer: 'A key that no super-administrator made may load data.',
      sections: ['SCOPE', 'ING'],
    },
    {
      id: 'ingest-of-former-super-admin',
      file: 'handlers/access/caller.ts',
      find: '!(key.created_by_super_admin && owner.super_admin)',
      replace: '!key.created_by_super_admin',
      customer: 'Somebody who is no super-administrator any more may still load data.',
      sections: ['SCOPE', 'ING'],
    },
    {
      id: 'drafts-visible-by-department',
      file: 'handlers/access/caller.ts',
      find: 'departments).map((condition) => ({ listed: true, ...condition }))',
      replace: 'departments)',
      customer: 'An owner who sees some departments also sees drafts and deleted employees.',
      sections: ['EMP', 'SCOPE'],
    },
    {
      id: 'confidential-documents-visible',
      file: 'handlers/access/caller.ts',
      find: "profile.documents === 'all_but_confidential';",
      replace: 'false;',
      customer: 'An owner who sees all but confidential documents sees only its own ones.',
      sections: ['SCOPE', 'DREAD'],
    },
    {
      id: 'confidential-types-counted-as-open',
      file: 'handlers/access/profile-reach.ts',
      find: '{ tenant_id: tenantId, confidential: false }',
      replace: '{ tenant_id: tenantId }',
      customer: 'Confidential documents are shown to people who may see all but these.',
      sections: ['SCOPE', 'DREAD'],
    },
    {
      id: 'departments-without-sub-departments',
      file: 'handlers/access/profile-reach.ts',
      find: 'ancestor_ids: { $in: employees.departments } }',
      replace: '_id: { $in: employees.departments } }',
      customer: 'The head of a department does not see the people of its sub-departments.',
      sections: ['SCOPE'],
    },
    {
      id: 'reports-not-seen',
      file: 'handlers/access/permissions.ts',
      find: 'if (profile.employees.reports) marks.push(reportsOf(employeeId));',
      replace: 'if (profile.employees.reports) marks.push(employeeId);',
      customer: 'A manager does not see its direct reports.',
      sections: ['SCOPE'],
    },
    {
      id: 'reports-always-seen',
      file: 'handlers/access/permissions.ts',
      find: 'if (profile.employees.reports) marks',
      replace: 'if (!profile.employees.self || profile.employees.reports) marks',
      customer: 'A manager sees its reports although its profile does not say so.',
      sections: ['SCOPE'],
    },
    {
      id: 'full-name-shown-when-middle-name-is-hidden',
      file: 'handlers/access/permissions.ts',
      find: "['persons.first_name', 'persons.last_name', 'persons.middle_name']",
      replace: "['persons.first_name', 'persons.last_name']",
      customer: 'A hidden middle name is read in the full name.',
      sections: ['RED'],
    },
    {
      id: 'own-documents-of-hidden-types',
      file: 'handlers/access/permissions.ts',
      find: "visible_to: employeeId, ...(types !== 'all' && either)",
      replace: 'visible_to: employeeId, ...(false && either)',
      customer: 'Somebody whom a document is about sees it although its type is hidden from that person.',
      sections: ['SCOPE', 'DREAD'],
    },
    {
      id: 'documents-of-hidden-types',
      file: 'handlers/access/permissions.ts',
      find: "types.filter((id) => documents === 'all' || openTypes.includes(id))",
      replace: 'types.filter(() => true)',
      customer: 'Confidential documents are visible where the profile lists their type.',
      sections: ['SCOPE', 'DREAD'],
    },
    {
      id: 'templates-of-hidden-types-shown',
      file: 'handlers/access/caller.ts',
      find: "'DOCUMENT_TEMPLATE_NOT_FOUND', seenTypes('type_id'), {",
      replace: "'DOCUMENT_TEMPLATE_NOT_FOUND', () => [{}], {",
      customer: 'Templates of document types that the owner may not see are shown.',
      sections: ['DT', 'SCOPE'],
    },
    {
      id: 'uploads-of-others-found',
      file: 'handlers/access/caller.ts',
      find: "'FILE_NOT_FOUND', () => [{ owner_id: owner._id }])",
      replace: "'FILE_NOT_FOUND', () => [{}])",
      customer: 'Somebody else of the tenant can confirm and use my upload.',
      sections: ['FILE', 'DOC'],
    },
    {
      id: 'count-without-what-is-visible',
      file: 'handlers/access/visible-rows.ts',
      find: 'const rest = before.length === 0 ? way.filter : allOf(way.filter, { $nor: before });',
      replace: 'const rest = way.filter;',
      customer: 'total_count counts employees twice whom the owner sees for two reasons.',
      sections: ['EMP', 'SCOPE'],
    },
    {
      id: 'scope-of-other-operation',
      file: 'handlers/http/dispatch.ts',
      find: 'metadata: { required_scope: scope },',
      replace: 'metadata: {},',
      customer: 'The refusal does not name the scope that is missing.',
      sections: ['SCOPE', 'ERR'],
    },
    {
      id: 'own-tenant-of-owner-not-checked',
      file: 'handlers/access/credentials.ts',
      find: '    owner.removed_at === null &&\n    owner.tenant_id === key.tenant_id\n',
      replace: '    owner.removed_at === null\n',
      customer: 'Nothing, as long as every key has an owner of its own tenant.',
      reason: 'No path makes such a key: the settings look the owner up in the tenant. The line is a second lock.',
    },
    {
      id: 'keys-of-one-moment-mixed-up',
      file: 'handlers/data/together.ts',
      find: 'return (await found).get(key);',
      replace: 'return [...(await found).values()][0] ?? (await found).get(key);',
      customer: 'Of two requests at the same moment, one gets the rights and the tenant of the other.',
    },
    {
      id: 'reading-of-keys-never-renewed',
      file: 'handlers/data/together.ts',
      find: '      if (reading === promise) reading = undefined;\n',
      replace: '',
      customer: 'A key that was used before goes on working after it is revoked, and new keys are refused.',
    },
    {
      id: 'keys-beyond-a-hundred-dropped',
      file: 'handlers/data/together.ts',
      find: 'resolve(read([...keys]));',
      replace: 'resolve(read([...keys].slice(0, 1)));',
      customer: 'Of several requests at the same moment, all but one are refused as if their keys were wrong.',
    },
  ],
};
