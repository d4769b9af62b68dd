import { defineConfig } from 'vite'

export default defineConfig({
  // Addresses without a leading slash.
  base: './',
  build: {
    modulePreload: false,
    rolldownOptions: {
      input: { panel: 'panel.html', background: 'src/background.ts' },
      // The manifest names background.js.
      output: { entryFileNames: '[name].js' },
    },
  },
})
