# in_terminal.py COLUMNS COMMAND...: what the command writes to a terminal of that width
import fcntl, os, struct, subprocess, sys, termios, threading
END = b"\x04the command has ended\x04"
terminal, of_command = os.openpty()
fcntl.ioctl(of_command, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
command = subprocess.Popen(sys.argv[2:], stdin=of_command, stdout=of_command, stderr=of_command)
# The terminal stays open until all has been read: what is in it when a terminal hangs up can be lost.
threading.Thread(target=lambda: (command.wait(), os.write(of_command, END))).start()
written = b""
while not written.endswith(END): written += os.read(terminal, 65536)
sys.stdout.buffer.write(written[:-len(END)])
sys.exit(command.returncode)
