/** The structure of one invented tenant: organisations, the department tree with its heads, job titles, locations. */
import type { TitledRow } from '../../../handlers/data/collection.ts';
import type { DepartmentRow } from '../../../handlers/data/collections/departments.ts';
import type { Random } from '../../kit/random.ts';
import * as words from './titles.ts';

/** All times in the seeded data are before this instant, no matter when the seed runs. */
export const BASE_TIME = new Date('2026-01-15T06:00:00.000Z');
export const DAY_MS = 86_400_000;

/** A department, with what is needed to make its staff. */
export interface Unit {
  readonly row: DepartmentRow;
  readonly level: number;
  /** The number of its employees, including the head. */
  readonly size: number;
  readonly head_id: string;
  readonly parent: Unit | null;
  readonly head_title_id: string;
  readonly job_title_ids: readonly string[];
}

export type Company = ReturnType<typeof inventCompany>;

/** A time in the first year of the data, so that rows that refer to this one are younger. */
function early(random: Random): Date {
  return new Date(BASE_TIME.getTime() - Math.floor((3300 + random.next() * 300) * DAY_MS));
}

function titled(tenantId: string, title: string, random: Random): TitledRow {
  const time = early(random);
  return { _id: random.uuid(), tenant_id: tenantId, title, create_time: time, update_time: time };
}

interface Sketch {
  level: number;
  parent: number;
  children: number;
  work: words.LineOfWork;
  title: string;
  organization: number;
}

const MOST_CHILDREN = [14, 7, 6, 6, 0];

function departmentTitle(level: number, work: words.LineOfWork, nth: number, random: Random): string {
  const { ru, kk } = words.levels[level] ?? words.levels[4];
  const inKazakh = random.chance(0.3);
  const part = level === 1 ? work : random.pick(work.parts);
  const title = inKazakh ? `${part.kk} ${kk}` : `${ru} ${part.ru}`;
  if (level < 3) return title;
  return level === 3 ? `${title}, ${random.pick(words.cities)}` : `${title} № ${nth}`;
}

/** A random tree with at most five levels, parents before children. */
function sketch(count: number, organizations: number, random: Random): Sketch[] {
  const nodes: Sketch[] = [];
  const work = () => random.pick(words.linesOfWork);
  for (let i = 0; i < organizations; i++) {
    const title = random.chance(0.3) ? words.levels[0].kk : words.levels[0].ru;
    nodes.push({ level: 0, parent: -1, children: 0, work: work(), title, organization: i });
  }
  const open = nodes.map((_, i) => i);
  while (nodes.length < count) {
    const at = random.int(open.length);
    const index = open[at];
    const parent = index === undefined ? undefined : nodes[index];
    if (index === undefined || parent === undefined) break;
    const level = parent.level + 1;
    const own = level === 1 ? (words.linesOfWork[parent.children % words.linesOfWork.length] ?? work()) : parent.work;
    parent.children++;
    if (parent.children >= (MOST_CHILDREN[parent.level] ?? 0)) open.splice(at, 1);
    const title = departmentTitle(level, own, parent.children, random);
    nodes.push({ level, parent: index, children: 0, work: own, title, organization: parent.organization });
    if ((MOST_CHILDREN[level] ?? 0) > 0) open.push(nodes.length - 1);
  }
  return nodes;
}

/** Distributes `employees` unevenly, at least one to each department. */
function sizes(count: number, employees: number, random: Random): number[] {
  const weights = Array.from({ length: count }, () => 0.3 + random.next() ** 3 * 4);
  const sum = weights.reduce((a, b) => a + b, 0);
  const spare = employees - count;
  const out = weights.map((weight) => 1 + Math.floor((spare * weight) / sum));
  for (let missing = employees - out.reduce((a, b) => a + b, 0), i = 0; missing > 0; missing--, i++) {
    out[i % count] = (out[i % count] ?? 0) + 1;
  }
  return out;
}

/** @param employees 1 or more; there are never more departments than employees */
export function inventCompany(tenantId: string, employees: number, random: Random) {
  const departments = Math.min(employees, 2500, Math.max(5, Math.ceil(employees / 25)));
  const organizationCount = Math.min(words.organizations.length, 1 + Math.floor(departments / 8));
  const organizations = words.organizations.slice(0, organizationCount).map((title) => titled(tenantId, title, random));
  const jobTitles = new Map<string, TitledRow>();
  function jobTitle(title: string): string {
    const known = jobTitles.get(title) ?? titled(tenantId, title, random);
    jobTitles.set(title, known);
    return known._id;
  }

  const nodes = sketch(departments, organizationCount, random);
  const shares = sizes(nodes.length, employees, random);
  const units: Unit[] = [];
  for (const [i, node] of nodes.entries()) {
    const parent = units[node.parent] ?? null;
    const id = random.uuid();
    const time = early(random);
    const row: DepartmentRow = {
      _id: id,
      tenant_id: tenantId,
      organization_id: organizations[node.organization]?._id ?? '',
      parent_id: parent?.row._id ?? '',
      ancestor_ids: [id, ...(parent?.row.ancestor_ids ?? [])],
      title: node.title,
      create_time: time,
      update_time: time,
    };
    units.push({
      row,
      level: node.level,
      size: shares[i] ?? 1,
      head_id: random.uuid(),
      parent,
      head_title_id: jobTitle((words.levels[node.level] ?? words.levels[4]).head),
      job_title_ids: node.work.jobs.map(jobTitle),
    });
  }
  const lead_title_id = jobTitle(words.leadTitle);
  const locations = words.locations.map((title) => titled(tenantId, title, random));
  return { organizations, job_titles: [...jobTitles.values()], locations, units, lead_title_id };
}
