import { VitePWA } from 'vite-plugin-pwa'

export default {
  plugins: [
    VitePWA({
      registerType: 'autoUpdate',
      // hnsw.js is needed only beyond 300,000 vectors.
      workbox: {
        globPatterns: ['**/*.{js,css,html,wasm,bin}'],
        globIgnores: ['**/hnsw-*'],
        maximumFileSizeToCacheInBytes: 6e6,
      },
    }),
  ],
}
