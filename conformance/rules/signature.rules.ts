import { bytesOf } from '../callbacks/delivery.ts';
import { arrived, deleteHook, envelopeOf, newRoute, received, testHook, withHooks } from '../callbacks/hooks.ts';
import { parseSignature, signatureOf, verifies } from '../callbacks/signature.ts';
import { headerOf } from '../http/exchange.ts';
import { rule } from './rule.ts';
import { rejected, signatureComplaint } from './shared/event-calls.ts';

rule({
  id: 'SIG-5',
  text: 'A signature does not verify with another secret, other bytes or another t, so a receiver can recognise a forgery.',
  place: 'Service-Signature',
  check: async (t) => {
    await withHooks(t, [{}, {}], async (hook, other) => {
      await testHook(t, hook);
      const [delivery] = await arrived(t, hook, { containing: hook.id });
      const raw = bytesOf(delivery);
      const header = headerOf(delivery, 'service-signature');
      const { t: at, v1 } = t.present(parseSignature(header), 'there is no signature of the documented form');
      t.check(verifies(hook.secret, { t: at, v1 }, raw), 'the right signature does not verify');
      const pretty = Buffer.from(JSON.stringify(envelopeOf(delivery), null, 1));
      const key = Buffer.from(hook.secret.slice(6), 'base64url');
      const forged: [string, string][] = [
        ['the secret of another endpoint', signatureOf(other.secret, at, raw)],
        ['the secret without its prefix', signatureOf(hook.secret.slice(6), at, raw)],
        ['the decoded secret', signatureOf(key.toString('latin1'), at, raw)],
        ['a body written anew', signatureOf(hook.secret, at, pretty)],
        ['a body with a line end', signatureOf(hook.secret, at, Buffer.concat([raw, Buffer.from('\n')]))],
        ['t one second later', signatureOf(hook.secret, at + 1, raw)],
        ['t one second earlier', signatureOf(hook.secret, at - 1, raw)],
        ['no key at all', signatureOf('', at, raw)],
      ];
      for (const [what, signature] of forged) t.check(signature !== v1, `the signature is that of ${what}`);
    });
  },
});

rule({
  id: 'SIG-8',
  replaces: ['SIG-6'],
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
