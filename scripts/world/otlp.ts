/** A collector of OpenTelemetry on loopback that takes traces by OTLP as protobuf, and keeps what it understands. */
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '../kit/ports.ts';

/** A span as it arrived. */
interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** `''` of the first span of a trace. */
  readonly parentId: string;
  readonly name: string;
  /** 2: server, 3: client, 5: consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
}

type Field = readonly [number: number, value: Buffer | number];

/** The fields of a message of protobuf (https://protobuf.dev/programming-guides/encoding/). */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const type = key % 8;
    if (type === 0) yield [Math.floor(key / 8), varint()];
    else {
      const length = type === 1 ? 8 : type === 5 ? 4 : varint();
      yield [Math.floor(key / 8), bytes.subarray(at, at + length)];
      at += length;
    }
  }
}

/** The messages, texts or numbers of one field. */
const all = (bytes: Buffer, field: number) =>
  [...fieldsOf(bytes)].filter(([n]) => n === field).map(([, value]) => value);
const messages = (bytes: Buffer, field: number) => all(bytes, field) as Buffer[];
const hex = (bytes: Buffer, field: number) => messages(bytes, field)[0]?.toString('hex') ?? '';

/** An attribute: a name, and a text or a whole number. */
function attribute(bytes: Buffer): [string, string | number] {
  const [name = Buffer.alloc(0)] = messages(bytes, 1);
  const [value = Buffer.alloc(0)] = messages(bytes, 2);
  const [text] = messages(value, 1);
  return [name.toString(), text?.toString() ?? (all(value, 3)[0] as number)];
}

const attributes = (bytes: Buffer, field: number) => Object.fromEntries(messages(bytes, field).map(attribute));

/** By opentelemetry/proto/trace/v1/trace.proto. */
function spanOf(bytes: Buffer): CollectedSpan {
  const [status = Buffer.alloc(0)] = messages(bytes, 15);
  return {
    traceId: hex(bytes, 1),
    spanId: hex(bytes, 2),
    parentId: hex(bytes, 4),
    name: String(messages(bytes, 5)[0]),
    kind: (all(bytes, 6)[0] as number | undefined) ?? 0,
    attributes: attributes(bytes, 9),
    isError: all(status, 3)[0] === 2,
  };
}

export class TestCollector {
  readonly spans: CollectedSpan[] = [];
  /** Attributes of the processes that sent them. */
  readonly resources: Readonly<Record<string, string | number>>[] = [];
  /** What it answers. */
  status = 200;
  /** How many exports came, with whatever answer. */
  exports = 0;
  readonly #server: Server = createServer(async (req, res) => {
    const body = await buffer(req);
    this.exports++;
    if (this.status === 200 && req.url === '/v1/traces') this.#take(body);
    res.writeHead(this.status, { 'Content-Type': 'application/x-protobuf' }).end();
  });
  #port = 0;

  static async listen(): Promise<TestCollector> {
    const collector = new TestCollector();
    collector.#port = await listenOnLoopback(collector.#server);
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  #take(body: Buffer): void {
    for (const ofResource of messages(body, 1)) {
      this.resources.push(...messages(ofResource, 1).map((resource) => attributes(resource, 1)));
      for (const scope of messages(ofResource, 2)) this.spans.push(...messages(scope, 2).map(spanOf));
    }
  }

  stop(): Promise<void> {
    return closeServer(this.#server);
  }
}
