/** Opens outbound requests as configured. */
import { readFileSync } from 'node:fs';
import type { Config } from '../../process/config.ts';
import type { Logger } from '../../process/log.ts';
import { allowedNetwork } from './addresses.ts';
import { type Outbound, openOutbound } from './outbound.ts';

/**
 * Logs a warning for everything allowed beyond public addresses and public certificate authorities.
 * @param ownPorts the ports that this process listens on; called at each use
 */
export function configuredOutbound(config: Config, ownPorts: () => readonly number[], log: Logger): Outbound {
  const allowed = config.WEBHOOK_ALLOW_NETWORKS.flatMap((text) => allowedNetwork(text) ?? []);
  const file = config.WEBHOOK_CA_FILE;
  if (allowed.length > 0) {
    const networks = allowed.map(({ text }) => text);
    log.warn({
      event: 'webhooks_allow_networks',
      networks,
      message: 'webhooks may go to addresses that are not public',
    });
  }
  if (file !== undefined) {
    log.warn({ event: 'webhooks_ca_file', file, message: 'webhooks trust a certificate authority of their own' });
  }
  return openOutbound({ ownPorts, allowed, authority: file && readFileSync(file, 'utf8') });
}
