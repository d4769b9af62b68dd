import { VitePWA } from 'vite-plugin-pwa'

export default {
  plugins: [
    VitePWA({
      registerType: 'autoUpdate',
      // hnsw.js serves more than 300,000 vectors alone.
      workbox: {
        globPatterns: ['**/*.{js,css,html,wasm,bin}'],
        globIgnores: ['**/hnsw-*'],
        maximumFileSizeToCacheInBytes: 6e6,
      },
    }),
  ],
}
