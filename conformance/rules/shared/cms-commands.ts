/** Qualified signatures, made by the profile's admin commands. */
import { writeFileSync } from 'node:fs';
import type { TestContext } from '../../engine/test-context.ts';

let files = 0;

/**
 * A CMS over bytes, in base64.
 * @param certificate whose certificate, by the names of the admin commands
 * @param scheme hash and padding; without it, those that sign_cms takes
 */
export async function cmsOf(
  t: TestContext,
  bytes: Buffer,
  certificate = 'restricted',
  scheme?: string,
): Promise<string> {
  const file = t.path(`signed-${process.pid}-${files++}.pdf`);
  writeFileSync(file, bytes, { mode: 0o600 });
  const printed =
    scheme === undefined
      ? await t.admin('sign_cms', { file, certificate })
      : await t.admin('sign_cms_with', { file, certificate, scheme });
  return printed.trim();
}

/** The body of a qualified signature. @param value base64 or PEM, or what is neither */
export const cms = (t: TestContext, value: unknown) => ({
  signature: { format: t.spelling.signature_format.CMS, value },
});
