export default {
  testDir: '.',
  outputDir: 'results',
  workers: 1,
  ...(process.env.ONLY && { grep: new RegExp(`\\b(${process.env.ONLY})$`) }),
  timeout: 120_000,
  reporter: [['json', { outputFile: 'results.json' }]],
  use: { launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] } },
};
