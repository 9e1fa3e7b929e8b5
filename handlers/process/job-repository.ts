/**
 * Agenda's repository: its jobs are rows of the database. Agenda itself goes by the clock of its machine, but what it
 * stores is compared by all processes. So every time is converted on its way: in the rows it is the database's, in the
 * process the machine's.
 */
import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { JobId, JobParameters, JobRepositoryOptions } from 'agenda';
import { databaseMs, machineMs } from './clock.ts';

type JobTimes = Partial<Record<(typeof TIMES)[number], unknown>>;

/** The times of a job. */
const TIMES = ['nextRunAt', 'lockedAt', 'lastRunAt', 'lastFinishedAt', 'failedAt'] as const;
/** Both clocks are read in whole milliseconds, so a converted time may be early by as much; a job must not begin early. */
const ROUNDING_MS = 2;

/** The time by this machine's clock at which the database's will show `at`, or a few milliseconds later. */
export function onThisMachine(at: Date): Date {
  return new Date(at.getTime() - (databaseMs() - machineMs()) + ROUNDING_MS);
}

/** The database's time when this machine's clock shows `at`. */
export function inDatabase(at: Date): Date {
  return new Date(at.getTime() + (databaseMs() - machineMs()));
}

function converted<Job extends JobTimes>(job: Job, convert: (at: Date) => Date): Job {
  const times = TIMES.filter((name) => job[name] instanceof Date).map((name) => [name, convert(job[name] as Date)]);
  return { ...job, ...Object.fromEntries(times) };
}

/** Agenda's repository, with its times converted, and without two of its faults. */
export class JobRepository extends MongoJobRepository {
  override async getNextJobToRun(
    ...[name, scanAt, lockDeadline, , options]: Parameters<MongoJobRepository['getNextJobToRun']>
  ): ReturnType<MongoJobRepository['getNextJobToRun']> {
    const lockedAt = inDatabase(new Date(machineMs()));
    const job = await super.getNextJobToRun(name, inDatabase(scanAt), inDatabase(lockDeadline), lockedAt, options);
    return job && converted(job, onThisMachine);
  }

  /** A time in `unique` is the database's already, and is stored exactly as it is: equal jobs must be equal. */
  override async saveJob<Data>(job: JobParameters<Data>, options?: JobRepositoryOptions): Promise<JobParameters<Data>> {
    const { nextRunAt } = (job.unique ?? {}) as JobTimes;
    const stored = { ...converted(job, inDatabase), ...(nextRunAt instanceof Date && { nextRunAt }) };
    return converted(await super.saveJob(stored, options), onThisMachine);
  }

  /**
   * Removes a one-time job instead of saving its end. Agenda removes it later, and a crash in between would leave it for
   * ever.
   */
  override async saveJobState(...[job, options]: Parameters<MongoJobRepository['saveJobState']>): Promise<void> {
    const isOver = !job.lockedAt && job.nextRunAt === null;
    if (isOver) await this.removeJobs({ id: job._id as JobId });
    else await super.saveJobState(converted(job, inDatabase), options);
  }

  /** Ignores a failure, which would otherwise be an unhandled rejection. */
  override async unlockJob(job: Parameters<MongoJobRepository['unlockJob']>[0]): Promise<void> {
    await super.unlockJob(job).catch(() => {});
  }
}
