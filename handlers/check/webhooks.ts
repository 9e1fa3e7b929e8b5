/** Checks of the way out for webhooks: names are found, TLS connections open, and private addresses are out of reach. */
import { readFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { getCACertificates } from 'node:tls';
import { allowedNetwork } from '../runtime/addresses.ts';
import { type ResolvedName, resolveAllowed } from '../webhooks/outbound/resolve.ts';
import { checkUrl, hostOf, portOf } from '../webhooks/outbound/url.ts';
import { seenAt } from './certificate.ts';
import type { CheckContext, DeploymentCheck } from './check.ts';
import { CheckSkip, doubtful, fine, timed, wrong } from './finding.ts';

/** A receiver on the Internet that is always there, for who names none; nothing is sent to it. */
const USUAL = new URL('https://www.iana.org/');
const DNS_MS = 4_000;

async function resolved({ webhookUrl = USUAL, config, lookup, signal }: CheckContext): Promise<ResolvedName> {
  const allowed = config.WEBHOOK_ALLOW_NETWORKS.flatMap((text) => allowedNetwork(text) ?? []);
  const policy = { allowed, isOwnPort: () => false };
  return resolveAllowed(hostOf(webhookUrl), portOf(webhookUrl), policy, lookup, DNS_MS, signal);
}

/** What somebody asked for is wrong; of the usual receiver, a network may block exactly that one. */
const judged = ({ webhookUrl }: CheckContext) => (webhookUrl === undefined ? doubtful : wrong);

/** Where clouds give their credentials away. */
const METADATA = { host: '169.254.169.254', port: 80 };
const PRIVATE_MS = 1_500;

export const webhookChecks: readonly DeploymentCheck[] = [
  {
    name: 'webhooks.dns',
    about: 'names of receivers are found (--webhook-url)',
    async run(context) {
      const { webhookUrl = USUAL } = context;
      const url = checkUrl(webhookUrl.href, () => false);
      if (typeof url === 'string') return wrong(`a webhook endpoint ${url}`, 'Give another --webhook-url.');
      const found = await resolved(context);
      if ('addresses' in found) return fine(`${hostOf(url)} is found`);
      if (found.error === 'address_denied') {
        return judged(context)(
          `${hostOf(url)} leads to an address that is not public, to which no event goes`,
          'See what the name server says here.',
        );
      }
      const words = `${hostOf(url)} is not found by the name servers of this machine`;
      return timed(judged(context)(words, 'Let processes ask DNS (port 53), or correct /etc/resolv.conf.'));
    },
  },
  {
    name: 'webhooks.way_out',
    about: 'a TLS connection to a receiver opens',
    async run(context) {
      const { webhookUrl = USUAL, config } = context;
      const found = await resolved(context);
      if (!('addresses' in found)) throw new CheckSkip('no address was found');
      const [host, port] = [hostOf(webhookUrl), portOf(webhookUrl)];
      const file = config.WEBHOOK_CA_FILE;
      const ca = file === undefined ? undefined : [...getCACertificates(), readFileSync(file, 'utf8')];
      const to = { host: found.addresses[0], port, servername: host, ...(ca && { ca }) };
      const seen = await seenAt(to, context.signal);
      const failure = 'failure' in seen ? seen.failure : seen.untrusted;
      if (failure === undefined) return fine(`a TLS connection to ${host}:${port} opens`);
      return judged(context)(
        `no TLS connection to ${host}:${port} opens: ${failure}`,
        'Let workers out to the ports 443 and from 1024 up without a proxy, and see the certificate of the receiver.',
      );
    },
  },
  {
    name: 'webhooks.private',
    about: "a cloud's metadata service is out of reach",
    async run({ signal }) {
      const isOpen = await new Promise<boolean>((resolve) => {
        const socket = connectPlain({ ...METADATA, timeout: PRIVATE_MS });
        const end = (open: boolean) => () => {
          socket.destroy();
          resolve(open);
        };
        socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
        signal.addEventListener('abort', end(false), { once: true });
      });
      if (!isOpen) return timed(fine('the metadata service of a cloud is out of reach'));
      return doubtful(
        'the metadata service of the cloud (169.254.169.254) can be reached from here; the service refuses to send there, and is the only lock',
        'Block private and link-local addresses for these processes, as by a NetworkPolicy.',
      );
    },
  },
];
