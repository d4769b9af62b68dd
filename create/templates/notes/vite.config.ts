import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

export default defineConfig({
  plugins: [
    VitePWA({
      registerType: 'autoUpdate',
      injectRegister: 'script-defer',
      manifest: {
        name: 'Notes',
        short_name: 'Notes',
        display: 'standalone',
        theme_color: '#1f5fae',
        background_color: '#ffffff',
        icons: [{ src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' }],
      },
      workbox: {
        // SQLite (.wasm) and the embedder's table (.bin), too. Only stores with more than 300,000 vectors load hnsw.js.
        globPatterns: ['**/*.{js,css,html,svg,wasm,bin}'],
        globIgnores: ['**/hnsw-*'],
        maximumFileSizeToCacheInBytes: 6e6,
      },
    }),
  ],
})
