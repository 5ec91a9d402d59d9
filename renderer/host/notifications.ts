import { remember, remembered } from '../ui/remembered.ts'

const STORED = 'mixlab.notify'

/** Whether a notification shows the end of training while the user looks elsewhere; on unless the user turns it off. */
export function notifies(): boolean {
  return remembered(STORED) !== false
}

/** Turns these notifications on, which asks the browser for its permission where that is needed, or off. */
export function setNotifies(on: boolean): void {
  remember(STORED, on)
  askPermission()
}

/** Asks the browser whether it shows notifications, unless the user wants none or it has been asked. */
export function askPermission(): void {
  if (!notifies() || typeof Notification === 'undefined' || Notification.permission !== 'default') return
  void Notification.requestPermission()
}

/** Shows a notification, in place of one with the same tag, where the user and the browser allow it. */
export function notifyOutside(text: string, tag: string): void {
  if (!notifies() || typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  const notification = new Notification(text, { tag })
  notification.onclick = () => window.focus()
}
