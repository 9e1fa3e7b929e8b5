/** The target of a request (RFC 9112 §3.2) in the one form that the rest of the service reads: a path with its query. */

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;
/** A host, as a name or an address, and a port. User information is an error in a request (RFC 9110 §4.2.4). */
const AUTHORITY = /^(?:\[[\da-f:.]+\]|[\w\-.~!$&'()*+,;=%]+)(?::\d*)?$/i;

/**
 * The origin-form of a target: of an `http` or `https` URI its path and query (RFC 9112 §3.2.2). The authority needs no
 * further look, because the service is the same under every name. Any other target comes back unchanged.
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [, authority = '', rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (!AUTHORITY.test(authority)) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
