/** Faults that the rules of delivery-unreachable.rules.ts must catch. */
import { answers, counted, showing } from '../mutation/alter.ts';
import { brokenIsTaken, deliveryFaults } from '../mutation/alter-deliveries.ts';
import { type Fault, faultsOf } from '../mutation/fault.ts';

const TEST = 'testWebhookEndpoint';

export const faults: readonly Fault[] = [
  ...faultsOf({
    'WHK-25': {
      'whk-tls-unnamed': [
        'a failure of TLS is reported as one of the connection',
        showing(TEST, 'error', (before) => (before === 'tls_error' ? 'connect_error' : before)),
      ],
      'whk-any-certificate': [
        'a certificate that nobody trusts is taken',
        answers(TEST, (json, _asked, memory) => {
          if (json.error === 'tls_error' && counted(memory) > 1) Object.assign(json, { status_code: 200, error: '' });
        }),
      ],
    },
  }),
  ...deliveryFaults({
    'DLV-5': { 'dlv-no-connection-is-taken': ['a connection that fails ends the attempts', brokenIsTaken] },
  }),
];
