import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isGone } from '../attempts/disturbed.ts'
import { freePort } from '../queue/server.ts'

const PROGRAMS = ['/usr/sbin/munged', '/usr/sbin/slurmctld', '/usr/sbin/slurmd', '/usr/bin/sbatch']

/** Why there can be no cluster here; null where there can. */
export function noCluster(): string | null {
  const missing = PROGRAMS.filter((path) => !existsSync(path))
  if (missing.length > 0) return `${missing.join(', ')} missing: apt-get install slurm-wlm munge`
  return process.getuid?.() === 0 ? null : 'slurmd has to be started as root'
}

/** A Slurm of one node, all of it below a folder, which listens on 127.0.0.1 alone. */
export async function startCluster(folder: string) {
  const node = hostname().split('.')[0] ?? 'localhost'
  const [controller, daemon] = [await freePort(), await freePort()]
  const at = (name: string) => join(folder, name)
  for (const name of ['state', 'spool']) mkdirSync(at(name))
  writeFileSync(at('munge.key'), randomBytes(1024), { mode: 0o600 })
  writeFileSync(
    at('slurm.conf'),
    `ClusterName=test
SlurmctldHost=${node}(127.0.0.1)
SlurmUser=root
SlurmctldPort=${controller}
SlurmdPort=${daemon}
AuthType=auth/munge
AuthInfo=socket=${at('munge.sock')},cred_expire=5
CredType=cred/munge
CommunicationParameters=NoAddrCache,NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=${at('state')}
SlurmdSpoolDir=${at('spool')}
SlurmctldPidFile=${at('slurmctld.pid')}
SlurmdPidFile=${at('slurmd.pid')}
SlurmctldLogFile=${at('slurmctld.log')}
SlurmdLogFile=${at('slurmd.log')}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,batch_sched_delay=0,bf_interval=5
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
KillWait=30
MailProg=/bin/true
ReturnToService=2
NodeName=${node} NodeAddr=127.0.0.1 CPUs=2 CoresPerSocket=2 RealMemory=100 State=UNKNOWN
PartitionName=low Nodes=${node} Default=YES PriorityTier=1 PreemptMode=CANCEL State=UP
PartitionName=high Nodes=${node} PriorityTier=10 PreemptMode=OFF State=UP
`,
  )
  const env = { ...process.env, SLURM_CONF: at('slurm.conf') }
  const call = (command: string, ...words: string[]) => execFileSync(command, words, { env, encoding: 'utf8' }).trim()
  const [socket, key, pid, log, seed] = ['sock', 'key', 'pid', 'log', 'seed'].map((name) => at(`munge.${name}`))
  const files = [`--socket=${socket}`, `--key-file=${key}`, `--pid-file=${pid}`, `--log-file=${log}`]
  call('munged', '--force', ...files, `--seed-file=${seed}`)
  call('slurmctld', '-f', at('slurm.conf'), '-i')
  call('slurmd', '-f', at('slurm.conf'), '-N', node)
  return {
    config: at('slurm.conf'),
    call,
    /** Ends it; its programs write into the folder until they are gone. */
    async stop() {
      call('scancel', '--user', 'root')
      const files = ['slurmd.pid', 'slurmctld.pid', 'munge.pid'].map(at).filter((path) => existsSync(path))
      const programs = files.map((path) => Number(readFileSync(path, 'utf8')))
      for (const program of programs) process.kill(program)
      await expect.poll(() => programs.every(isGone)).toBe(true)
    },
  }
}
