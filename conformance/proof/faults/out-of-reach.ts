/** Rules that no fault is planted for, and why. */
import type { OutOfReach } from '../fault.ts';

const because = (reason: string, ...rules: readonly string[]): OutOfReach[] => rules.map((rule) => ({ rule, reason }));

const NOT_YET = 'no fault is planted yet, although a proxy could plant one';
const EFFECT =
  'what would be wrong happens inside the target, between requests; a proxy sees questions and answers only';
const RECEIVER = 'the fault would stand in the target’s own connection to a receiver, which the proxy must keep whole';
const HOURS = 'the fault would stand in the target’s own plan of repeats, which a proxy cannot move';

export const outOfReach: readonly OutOfReach[] = [
  ...because('the description is judged as a file; nothing of it passes a proxy', 'VER-2', 'VER-4'),
  ...because('it is asked over bare sockets, which the proxy passes as bytes', 'ERR-21'),
  ...because('it needs the fixture of ten thousand employees, which the small service of the proof lacks', 'EMP-38'),
  ...because('it is a measurement; a delay that it must find would need a quiet machine', 'AUTH-26', 'ING-41'),
  ...because('an altered id would reach the admin command of the rule, which fails then', 'EMP-52'),
  ...because(
    'the fault would survive a restart, or be made by one; the proxy is no part of it',
    'PAGE-22',
    'IDEM-20',
    'ING-63',
  ),
  ...because(
    EFFECT,
    ...[
      'FLAG-7',
      'PAGE-19',
      'PAGE-20',
      'PAGE-29',
      'FILE-24',
      'DOC-36',
      'FLOW-37',
      'ING-23',
      'ING-25',
      'ING-26',
      'ING-29',
      'ING-36',
      'ING-50',
    ],
    ...['ING-54', 'ING-58', 'ING-59', 'ING-60', 'ING-61', 'ING-64'],
  ),
  ...because(
    RECEIVER,
    'WHK-5',
    'WHK-16',
    'WHK-19',
    'WHK-21',
    'WHK-24',
    'WHK-25',
    'WHK-29',
    'DLV-3',
    'DLV-4',
    'DLV-5',
    'DLV-16',
    'DLV-19',
    'DLV-20',
  ),
  ...because(HOURS, 'DLV-6', 'DLV-7', 'DLV-8', 'DLV-11', 'DLV-12', 'DLV-13', 'DLV-14', 'DLV-15', 'DLV-18'),
  ...because(NOT_YET, ...['DOC-22'], ...['ING-65', 'SIG-8', 'EVT-9', 'EVT-24', 'EVT-26', 'EVT-30']),
];
