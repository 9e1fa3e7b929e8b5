/**
 * Exports spans by the OpenTelemetry SDK, over OTLP as protobuf. Loaded only where an address for them is configured. The
 * exporter reads the standard variables itself (OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _CERTIFICATE …), and so does the
 * resource (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES).
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { machineMs, monotonicMs } from './clock.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import { type SpanDescription, type SpanMaker, setSpanMaker, type TracePlace } from './tracing.ts';
import { programVersion } from './version.ts';

/** How long a stop waits for the last spans, in milliseconds. */
const FLUSH_MS = 2_000;
/** How long one export may take, in milliseconds. Longer than an answer needs, shorter than spans are kept. */
const EXPORT_MS = 10_000;

type TraceConfig = Pick<
  Config,
  | 'OTEL_BSP_SCHEDULE_DELAY'
  | 'OTEL_SERVICE_NAME'
  | 'OTEL_TRACES_SAMPLER'
  | 'OTEL_TRACES_SAMPLER_ARG'
  | 'REVISION'
  | 'ROLE'
>;

/** An exporter of spans that works. */
export interface SpanExport {
  /** Makes no more spans, and sends those that ended, for up to 2 s. Never fails. */
  stop(): Promise<void>;
}

/** Exports spans from now on. Failures hurt nothing but the spans, and are one line in the log. */
export function exportSpans(config: TraceConfig, log: Logger): SpanExport {
  const { version, revision } = programVersion(config);
  const own = resourceFromAttributes({
    'service.name': config.OTEL_SERVICE_NAME,
    'service.version': version,
    ...(revision !== undefined && { 'vcs.ref.head.revision': revision }),
    role: config.ROLE,
  });
  const processor = new BatchSpanProcessor({
    exporter: told(new OTLPTraceExporter(), log),
    exportTimeoutMillis: EXPORT_MS,
    scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
  });
  const provider = new TracerProvider({
    sampler: samplerOf(config),
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [processor],
  });
  setSpanMaker(makerOf(provider, version));
  return {
    async stop() {
      setSpanMaker(undefined);
      const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

const SAMPLERS: Readonly<Record<Config['OTEL_TRACES_SAMPLER'], (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

const samplerOf = ({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: TraceConfig) => SAMPLERS[name](ratio);

/** The exporter, which tells in the log when it begins to fail and when it works again. */
function told(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const hasFailed = code !== 0;
        if (hasFailed && !isFailing) log.warn({ event: 'trace_export_failed', reason: reasonOf(error) });
        if (!hasFailed && isFailing) log.info({ event: 'trace_export_recovered' });
        isFailing = hasFailed;
        // The SDK would report an error on the standard error output each time.
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** A status or a code, and never what the receiver wrote. */
function reasonOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? 'unknown');
}

function makerOf(provider: TracerProvider, version: string): SpanMaker {
  const tracer = provider.getTracer('developer-api', version);
  return ({ name, kind, attributes = {} }, parent, startedMs) => {
    const startTime = startedMs === undefined ? undefined : machineMs() - (monotonicMs() - startedMs);
    const options = { kind: KINDS[kind], attributes, startTime };
    const span = tracer.startSpan(name, options, contextOf(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceId,
      spanId,
      isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
      end({ name: ended, attributes: more, errorType }) {
        if (ended !== undefined) span.updateName(ended);
        if (more !== undefined) span.setAttributes(more);
        if (errorType !== undefined) {
          span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  };
}

const KINDS: Readonly<Record<SpanDescription['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  producer: SpanKind.PRODUCER,
};

function contextOf(parent: TracePlace | undefined) {
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
