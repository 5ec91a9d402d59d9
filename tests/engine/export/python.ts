import { spawnSync } from 'node:child_process'

/** The first Python that has a module, which is looked for and not loaded: PyTorch takes seconds. */
export function pythonWith(module: string): string | undefined {
  const look = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${module}') is None)`
  return ['python3', '/usr/bin/python3'].find((python) => spawnSync(python, ['-c', look]).status === 0)
}
