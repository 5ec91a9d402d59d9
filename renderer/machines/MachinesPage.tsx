import { useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { MachineOrder, QueueMachine, QueueView } from '../../engine/records/workspace.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { bytes } from '../ui/bytes.ts'
import { copyText } from '../ui/copyText.ts'
import { Head } from '../ui/Head.tsx'
import { Icon } from '../ui/Icon.tsx'
import { notify } from '../ui/notices.ts'
import { documentHash } from '../ui/route.ts'
import { ScrollBox } from '../ui/ScrollBox.tsx'
import './machines.css'

/** The machines that train runs of the workspace out of its queue. */
export function MachinesPage() {
  const [asked, setAsked] = useState(0)
  const { value: queue, error } = useAnswer(
    `${asked}`,
    () => host().watchQueue(),
    ({ address }) => address !== null,
  )
  return (
    <main className="page wide machines-page">
      <h1 className="page-title">Machines</h1>
      <p>
        Other machines train runs of this workspace out of a queue, which{' '}
        <code>mixlab run study.ts --queue ADDRESS</code> fills.{' '}
        <a href={documentHash('machines')}>How a queue is set up</a>
      </p>
      {error && <p className="bad">{error}</p>}
      {queue && (
        <>
          <AddressForm key={queue.address} queue={queue} onSet={() => setAsked(asked + 1)} />
          {queue.error && <p className="bad">{queue.error}</p>}
          {queue.join && <QueueSection {...queue} join={queue.join} />}
        </>
      )}
    </main>
  )
}

/** Where the queue is. What was typed, which may have a password, is not shown again. */
function AddressForm({ queue, onSet }: { queue: QueueView; onSet(): void }) {
  const [text, setText] = useState('')
  const { address, fromEnvironment } = queue
  const set = async (to: string) => {
    try {
      await host().setQueue(to)
      setText('')
      onSet()
    } catch (error) {
      notify({ tone: 'bad', text: messageOf(error) })
    }
  }
  if (fromEnvironment)
    return (
      <p className="muted">
        The address of the queue, <code>{address}</code>, is that of MIXLAB_QUEUE.
      </p>
    )
  return (
    <>
      <form
        className="machines-address"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) void set(text)
        }}
      >
        <label>
          {address ? 'Another queue' : 'Address of the queue'}
          <input
            value={text}
            placeholder="redis://127.0.0.1"
            autoComplete="off"
            spellCheck={false}
            data-testid="queue-address"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <Button disabled={text.trim() === ''} onClick={() => void set(text)} testId="set-queue">
          Use
        </Button>
        {address && (
          <Button look="quiet" onClick={() => void set('')}>
            Forget
          </Button>
        )}
      </form>
      <p className="muted">
        {address && (
          <>
            It is at <code>{address}</code>.{' '}
          </>
        )}
        The address, with its password, is kept in <code>.mixlab/queue.address</code>, which you alone can read; no
        notebook has it.
      </p>
    </>
  )
}

function QueueSection({ machines, jobs, join, leftOut }: QueueView & { join: string }) {
  const { waiting, active, done } = jobs
  return (
    <>
      <p role="status" data-testid="queue-jobs">
        {`${plural(waiting, 'run')} in the queue, ${active} in training, ${done} done and not taken over yet.`}
      </p>
      {machines.length === 0 ? (
        <p className="muted">No machine works for this workspace.</p>
      ) : (
        <ScrollBox label="machines">
          <table className="facts machines">
            <thead>
              <tr>
                <Head>machine</Head>
                <Head>tell it</Head>
                <Head number>cores</Head>
                <Head number title="of all that it has">
                  free memory
                </Head>
                <Head>trains</Head>
                <Head>version</Head>
                <Head>last seen</Head>
                <Head>since</Head>
              </tr>
            </thead>
            <tbody>
              {machines.map((machine) => (
                <MachineRow key={machine.id} {...machine} />
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      <p className="machines-join">
        A machine joins by <code>{join}</code>{' '}
        <Button look="small" onClick={() => void copyText(join, 'The command')}>
          <Icon name="copy" /> Copy
        </Button>{' '}
        {leftOut && <span className="muted">({leftOut})</span>}
      </p>
    </>
  )
}

const STATES = { works: '', pauses: 'takes no more runs', leaves: 'leaves after these runs' }

/** What a machine can be told in each state, and what comes of it. */
const ORDERS: Record<QueueMachine['state'], MachineOrder[]> = {
  works: ['pause', 'stop', 'remove'],
  pauses: ['resume', 'stop', 'remove'],
  leaves: ['remove'],
}
const BUTTONS: Record<MachineOrder, { label: string; title: string }> = {
  pause: { label: 'Pause', title: 'It takes no more runs' },
  resume: { label: 'Resume', title: 'It takes runs again' },
  stop: { label: 'Stop', title: 'It leaves after the runs that it has' },
  remove: { label: 'Remove', title: 'It hands its runs back and leaves at once' },
}

function MachineRow({ id, backend, device, cores, free, memory, runs, state, mixlab, seen, since }: QueueMachine) {
  // until the machine has heard it, and says so
  const [told, setTold] = useState<{ order: MachineOrder; before: QueueMachine['state'] } | null>(null)
  const tell = async (order: MachineOrder) => {
    try {
      setTold({ order, before: state })
      await host().tellMachine(id, order)
    } catch (error) {
      setTold(null)
      notify({ tone: 'bad', text: messageOf(error) })
    }
  }
  return (
    <tr data-machine={id}>
      <th scope="row">
        <span>{id}</span>
        <div className="muted">{`${backend} on ${device}`}</div>
      </th>
      <td className="machines-orders">
        {ORDERS[state].map((order) => (
          <Button
            key={order === 'resume' ? 'pause' : order} // one button, which keeps the focus
            look="small"
            title={BUTTONS[order].title}
            busy={told?.order === order && told.before === state}
            onClick={() => void tell(order)}
            testId={`machine-${order}`}
          >
            {BUTTONS[order].label}
          </Button>
        ))}
      </td>
      <td className="number">{cores}</td>
      <td className="number">{`${bytes(free)} of ${bytes(memory)}`}</td>
      <td>
        {runs.map(({ key, study, variant, seed, step, steps, stepsPerSecond }) => (
          <div key={key}>
            {`${study}: ${variant}, seed ${seed}`}
            <span className="muted">{`, step ${step} of ${steps}, ${stepsPerSecond.toFixed(1)}/s`}</span>
          </div>
        ))}
        {runs.length === 0 && <span className="muted">nothing</span>}
        {STATES[state] && <div className="muted">{STATES[state]}</div>}
      </td>
      <td>{mixlab}</td>
      <td>{new Date(seen).toLocaleTimeString()}</td>
      <td>{new Date(since).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}</td>
    </tr>
  )
}
