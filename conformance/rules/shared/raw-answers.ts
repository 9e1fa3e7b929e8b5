/** Answers that a receiver sends byte by byte, since no server of HTTP sends them. */

/** An empty answer, after which the connection ends. */
export const plainAnswer = (status: number): string =>
  `HTTP/1.1 ${status} Words\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

/** `100 Continue` to a request that did not ask for it, as some servers send it. */
export const UNASKED = 'HTTP/1.1 100 Continue\r\n\r\n';

/** So many interim answers. */
export const interim = (times: number): string => 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(times);
