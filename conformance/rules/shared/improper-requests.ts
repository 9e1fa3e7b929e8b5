/** What is no proper HTTP, as bytes. */

/** Requests that are no proper HTTP, with placeholders for host and key. */
export function improperRequests(): [what: string, bytes: string][] {
  const start = 'GET /developer/v1/api_key/_verify HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n';
  const post =
    'POST /developer/v1/documents HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\nContent-Type: application/json\r\n';
  return [
    ['a blank in a name', `${start}Bad Name: x\r\n\r\n`],
    ['a folded header', `${start}X-A: 1\r\n 2\r\n\r\n`],
    ['a header without colon', `${start}nothing\r\n\r\n`],
    ['NUL in a header', `${start}X-A: a\0b\r\n\r\n`],
    ['no Host', 'GET /developer/v1/api_key/_verify HTTP/1.1\r\nX-API-Key: {key}\r\n\r\n'],
    ['two Hosts', `${start}Host: other.example\r\n\r\n`],
    ['no version', 'GET /developer/v1/api_key/_verify\r\n\r\n'],
    ['an unknown version', 'GET /developer/v1/api_key/_verify HTTP/9.9\r\nHost: {host}\r\n\r\n'],
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a blank in the path', 'GET /developer/v1/employees x HTTP/1.1\r\nHost: {host}\r\n\r\n'],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n{}`],
    ['a length of letters', `${post}Content-Length: two\r\n\r\n{}`],
    ['an endless length', `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `],
    [
      'length and chunked',
      `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\nGET /developer/v1/employees HTTP/1.1\r\nHost: {host}\r\n\r\n`,
    ],
    ['chunked, then identity', `${post}Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['gzip, then chunked', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['a bad chunk', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a header of 20 kB', `${start}X-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['3,000 headers', `${start}${'X-A: b\r\n'.repeat(3000)}\r\n`],
    ['a path of 20 kB', `GET /developer/v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n\r\n`],
  ];
}
