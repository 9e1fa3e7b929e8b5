import { arrived, deleteHook, newRoute, received, withHooks } from '../callbacks/hooks.ts';
import { rule } from './rule.ts';
import { rejected, signatureComplaint } from './shared/event-calls.ts';

rule({
  id: 'SIG-8',
  text: 'To replace a secret, a second endpoint at the same URL gets each event signed with its own secret, beside the first until that is deleted.',
  place: 'Service-Signature',
  decisions: ['D-24'],
  check: async (t) => {
    const route = newRoute(t);
    await withHooks(t, [{ route }, { route }, {}], async (old, fresh, other) => {
      const signers = async (id: string, count: number) => {
        const found = await arrived(t, old, { containing: id, count });
        return [old, fresh].map(({ secret }) => found.some((one) => signatureComplaint(one, secret) === ''));
      };
      t.equal(
        await signers(await rejected(t), 2),
        [true, true],
        'whether old and new secret sign while both are there',
      );
      (await deleteHook(t, old)).ok('deleteWebhookEndpoint');
      const id = await rejected(t);
      t.equal(await signers(id, 1), [false, true], 'whether old and new secret sign after the deletion');
      await arrived(t, other, { containing: await rejected(t) });
      t.equal((await received(t, old, id)).length, 1, 'how often the event came after the deletion');
    });
  },
});
