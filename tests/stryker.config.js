/**
 * `npm run mutate`: changes the sources of what must not be wrong without a sound, one place at a time, and runs the
 * tests of that place. docs/mutations.md has what is killed and what stays.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    // identity: what a run is, and the draws it is made of
    'engine/random.ts',
    'engine/data/digest.ts',
    'engine/notebook/{fingerprint,provenance}.ts',
    'engine/records/{keyed,numerics}.ts',
    'engine/study/{fit,from,key,named,plan,seeds}.ts',
    'engine/study/design/*.ts',
    // recovery: what is kept, and what goes on
    'app/store/{database,derive,kept,migrate,objects,open,owner,owners,record,run,weights}.ts',
    'app/store/points/{append,cut}.ts',
    'app/workspace/{atomic,history}.ts',
    'engine/study/{execute,trainRun}.ts',
    'engine/study/jobs/*.ts',
    'engine/train/{checkpoints,pause,state}.ts',
    'engine/call.ts',
    'renderer/host/{connectHost,link}.ts',
    'renderer/session/files/{journal,save}.ts',
    'renderer/session/kernel/{control,heartbeat,recall}.ts',
    // statistics: what is claimed
    'engine/study/statistics/*.ts',
    'engine/study/{align,metricSummary,summary}.ts',
    // what is said of an exported model
    'engine/export/{card,description,prove}.ts',
    // the loop
    'engine/train/{accumulate,clip,ema,evaluate,layerDecay,noDecay,readings,schedule,timings,train}.ts',
  ],
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'tests/stryker.vitest.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: 1, // by default all cores are taken
  timeoutMS: 5_000,
  dryRunTimeoutMinutes: 30,
  // TypeScript 7 has no parser of its configuration that Stryker could call
  tsconfigFile: 'none.json',
  ignorePatterns: ['/coverage', '/dist'],
  tempDirName: 'coverage/stryker',
  reporters: ['clear-text', 'progress', 'json', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'coverage/mutation.json' },
  htmlReporter: { fileName: 'coverage/mutation.html' },
  incrementalFile: 'coverage/mutation-incremental.json',
}
