/** Faults that the rules of signature.rules.ts must catch. */
import { noted } from '../mutation/alter.ts';
import { endpointsOf, signature, watching } from '../mutation/alter-deliveries.ts';
import { sign } from '../mutation/callbacks.ts';
import { type AlterDelivery, faultsOf, inDeliveries, type Memory, type ProxiedDelivery } from '../mutation/fault.ts';

/** Signs with another secret, where one is found. */
const signedWith = (secretOf: (one: ProxiedDelivery, memory: Memory) => string | undefined): AlterDelivery =>
  signature((one, memory) => sign(one, undefined, secretOf(one, memory)));

/** The first endpoint at the place of a delivery that is deleted, or is not. */
const oldOne = ({ path }: ProxiedDelivery, memory: Memory, gone: boolean) =>
  endpointsOf(memory).find((known) => known.path === path && known.gone === gone);

export const faults = faultsOf({
  'SIG-8': {
    'sig-one-for-all': inDeliveries(
      'all endpoints are signed for with one secret',
      signedWith((one, memory) => noted(memory, 'secret', () => one.secret)),
    ),
    'sig-deleted-secret-signs': inDeliveries(
      'after its endpoint was deleted the old secret goes on signing',
      signedWith((one, memory) => oldOne(one, memory, true)?.secret),
      watching(),
    ),
    'sig-new-secret-waits': inDeliveries(
      'while the old endpoint is there its secret signs for both',
      signedWith((one, memory) => oldOne(one, memory, false)?.secret),
      watching(),
    ),
  },
});
