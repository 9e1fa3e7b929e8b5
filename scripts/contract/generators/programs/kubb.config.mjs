import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

// biome-ignore lint/style/noDefaultExport: kubb reads the default export.
export default defineConfig({
  root: '.',
  input: { path: process.env.CONTRACT_JSON },
  output: { path: './client', clean: true },
  plugins: [pluginOas({ validate: false }), pluginTs(), pluginClient({ client: 'fetch' })],
});
