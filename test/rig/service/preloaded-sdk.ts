import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

const exporter: SpanExporter = {
  export(spans: ReadableSpan[], done) {
    for (const { name, attributes } of spans)
      process.stdout.write(`${JSON.stringify({ name, attributes })}\n`);
    done({ code: 0 });
  },
  shutdown: async () => {},
  forceFlush: async () => {},
};
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
);
