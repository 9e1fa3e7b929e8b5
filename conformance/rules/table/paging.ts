/** PAGE: tokens and walks. */
import { type Extra, ofTemplate, type Rule, row, threeOwners } from '../rule.ts';

const token = 'listEmployees: page_token';
const bound = (id: string, what: string, extra: Extra = {}): Rule =>
  row(id, 'MUST', `A token used with ${what} is INVALID_ARGUMENT.`, token, { decisions: ['D-10'], ...extra });

export const pagingRules: readonly Rule[] = [
  row(
    'PAGE-1',
    'MUST',
    'A walk returns every row once, as many as total_count says where that is exact, whatever the limit.',
    token,
    { tenant: 'quiet' },
  ),
  row('PAGE-2', 'MUST', 'The last page has an empty next_page_token.', 'next_page_token', {
    needs: { fixtures: ['department_id'] },
  }),
  row(
    'PAGE-3',
    'MUST',
    'There is a token exactly when there are more rows: at one less, exactly, and one more than the limit.',
    'next_page_token',
    { needs: { fixtures: ['department_id'] }, tenant: 'quiet' },
  ),
  row('PAGE-4', 'MUST', 'Pages laid end to end are the list in one piece.', token, {
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row('PAGE-5', 'MUST', 'The same token twice gives the same page.', token, {
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  bound('PAGE-6', 'another status'),
  bound('PAGE-7', 'another department_id', { needs: { fixtures: ['department_id', 'department_other_id'] } }),
  bound('PAGE-8', 'another updated_since'),
  bound('PAGE-9', 'another limit'),
  bound('PAGE-10', 'a filter dropped or added'),
  row('PAGE-11', 'MUST', 'expand and include_total may change along a walk.', token, {
    decisions: ['D-10'],
    needs: { fixtures: ['department_id'] },
  }),
  row('PAGE-12', 'MUST', 'Order and duplicates of repeated filter values are treated as the target declares.', token, {
    decisions: ['D-10', 'D-12'],
    needs: { fixtures: ['department_id', 'department_other_id'] },
  }),
  row('PAGE-13', 'MUST', 'A limit left out and the default written out are the same, if the target says so.', token, {
    decisions: ['D-10'],
  }),
  row(
    'PAGE-14',
    'MUST',
    'A token that is malformed, cut, altered anywhere, forged or huge is INVALID_ARGUMENT or refused as HTTP.',
    token,
    { decisions: ['D-10'] },
  ),
  row('PAGE-15', 'MUST', 'A token of one list is INVALID_ARGUMENT on every other.', 'page_token of every list', {
    decisions: ['D-10'],
    needs: { operations: ['createDocument', 'listDocuments'], fixtures: ofTemplate },
  }),
  row(
    'PAGE-16',
    'MUST',
    'A token of another tenant is treated as the target declares and shows none of that tenant’s rows.',
    token,
    { decisions: ['D-10'], needs: { keys: ['other_tenant'] } },
  ),
  row(
    'PAGE-17',
    'MUST',
    'A token does not widen rights: with a restricted key it shows only what that key sees.',
    token,
    { decisions: ['D-10'], needs: { keys: ['restricted_owner', 'no_employee_owner'] } },
  ),
  row('PAGE-18', 'SHOULD', 'A token shows neither ids nor offsets nor filters in clear.', token, {
    decisions: ['D-10'],
  }),
  row(
    'PAGE-19',
    'MUST',
    'Rows created and deleted during a walk neither repeat nor hide any row that was there throughout, not even one that moves from status to status while the pages are read.',
    token,
    {
      decisions: ['D-11'],
      needs: { big: true, admin: ['apply_employee_changes'], fixtures: ['department_id'] },
      tenant: 'changes',
    },
  ),
  row(
    'PAGE-20',
    'MUST',
    'Rows changed during a walk are neither missed nor repeated, not even while the pages are read: between two statuses or departments of the filter, between departments that a restricted owner sees, or by updated_since.',
    token,
    {
      decisions: ['D-11'],
      needs: { admin: ['apply_employee_changes'], fixtures: ['department_id', 'department_other_id'] },
      tenant: 'changes',
    },
  ),
  row('PAGE-21', 'MUST', 'An empty result is an empty array and an empty token.', 'listEmployees'),
  row('PAGE-22', 'SHOULD', 'A token survives a restart of the service.', token, {
    decisions: ['D-10'],
    needs: { admin: ['restart'] },
  }),
  row('PAGE-23', 'MUST', 'The order of parameters in the query is without meaning.', 'listEmployees', {
    needs: { fixtures: ['department_id'] },
    tenant: 'quiet',
  }),
  row('PAGE-24', 'MUST', 'A token is good for its declared lifetime and not a second longer.', token, {
    decisions: ['D-10'],
    needs: { clock: true },
  }),
  row('PAGE-25', 'SHOULD', 'A token from one process of the deployment works in another.', token, {
    decisions: ['D-10'],
    needs: { replica: true },
  }),
  row('PAGE-26', 'MUST', 'A walk can go on with another key of the same owner.', token, {
    decisions: ['D-10'],
    needs: { keys: ['second_key_same_owner'] },
  }),
  row(
    'PAGE-27',
    'MUST',
    'The catalogues page like the employees: newest first, each row once, tokens bound to filters and limit.',
    'listDocumentTypes, listDocumentCategories, listDocumentTemplates',
    { decisions: ['D-10', 'D-16'] },
  ),
  row(
    'PAGE-28',
    'MUST',
    'An empty page_token is treated as the target declares; one given twice is INVALID_ARGUMENT.',
    token,
    { decisions: ['D-12'] },
  ),
  row(
    'PAGE-29',
    'MUST',
    'Documents that are made and moved during a walk neither repeat nor hide any that was there throughout.',
    'listDocuments: page_token',
    {
      decisions: ['D-11'],
      needs: threeOwners,
    },
  ),
  row(
    'PAGE-30',
    'MUST',
    'A token of documents does not widen rights: with the key of another owner it shows only what that owner sees.',
    'listDocuments: page_token',
    {
      decisions: ['D-10', 'D-15'],
      needs: { ...threeOwners, keys: [...threeOwners.keys, 'other_tenant'] },
    },
  ),
];
