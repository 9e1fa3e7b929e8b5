/** `npm run lab -- faults-traffic`: plants faults between the suite and a service, and says which of them the suite finds. */
import type { Command } from 'commander';
import { exitingWith, listAdded, wholeNumber } from '../../scripts/kit/command-line.ts';
import type { PlantingOptions } from './plant-all.ts';

/** Adds the command. */
export function withTrafficFaults(lab: Command): void {
  lab
    .command('faults-traffic')
    .description(
      'Plants faults in the traffic, outside the product, and says which of them their rule finds; exit code 0 if all, and every control is right.\nIt finds: a rule that does not notice a violation.',
    )
    .option('--only <faults>', 'only these faults (ids of --list), or all of these rules (ids of rules)', listAdded, [])
    .option('--section <sections>', 'only faults for rules of these sections', listAdded, [])
    .option('--list', 'show every fault and run nothing')
    .option(
      '--profile <files>',
      'running services, each for one round at a time; without it they are started',
      listAdded,
      [],
    )
    .option(
      '--size <rules>',
      'maximum number of rules in a round; with 1, each fault is planted alone',
      wholeNumber(1, 9_999),
      120,
    )
    .option('--lanes <services>', 'number of services that are started', wholeNumber(1, 9), 2)
    .option('--controls', 'only the controls')
    .option('--no-null', 'do not first run the rules without any fault; a machine then tries nothing')
    .option('--json <file>', 'write the report to this file too')
    .option('--out <directory>', 'where faults.json and faults.html are written', 'reports/faults-traffic')
    // Every rule is loaded only where it is needed.
    .action(exitingWith(async (options: PlantingOptions) => (await import('./plant-all.ts')).plantAll(options)));
}
