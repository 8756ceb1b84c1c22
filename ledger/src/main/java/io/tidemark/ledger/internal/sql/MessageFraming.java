// SPDX-License-Identifier: Apache-2.0
package io.tidemark.ledger.internal.sql;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.stream.Stream;

/** Messages over a pipe: a length of four bytes, a kind of one, and what the kind has. */
final class MessageFraming {

  /** Kinds of messages, by their number. */
  enum MessageKind {
    /** To the process: a text, its limits and a directory to spill to. Answered by CHECKED. */
    CHECK(1),
    /** To the process: run it on these tables. Answered by COLUMNS, then ROWS, then END. */
    ANSWER(2),
    /** To the process: say how it would be run. Answered by STEPS. */
    EXPLAIN(3),
    /** To the process: write its rows to a file. Answered by COUNT. */
    COPY(4),
    /** To the process: forget the statement. Answered by READY. */
    CLOSE(5),
    READY(6),
    CHECKED(7),
    COLUMNS(8),
    ROWS(9),
    END(10),
    STEPS(11),
    COUNT(12),
    /** From the process, in place of any answer: a code and a message. */
    FAILED(13);

    private final int code;

    MessageKind(int code) {
      this.code = code;
    }

    static Optional<MessageKind> of(int code) {
      return Stream.of(values()).filter(messageKind -> messageKind.code == code).findFirst();
    }
  }

  /** Writer of a message's content. */
  interface ContentWriter {
    void write(DataOutputStream out) throws IOException;
  }

  /** A message that was read. */
  record Message(MessageKind kind, DataInputStream content) {}

  /**
   * The most bytes of a row, since the reader holds it several times over: as bytes, as a tree and
   * as text.
   */
  static final int LARGEST_ROW = 16 << 20;

  /** The most bytes of a message from a process: a row, and those before it. */
  static final int LARGEST_ANSWER = LARGEST_ROW + (1 << 16);

  /** The most bytes of a message to a process, which has what the ledger tells of its commits. */
  static final int LARGEST_REQUEST = 1 << 30;

  private MessageFraming() {}

  static void write(OutputStream out, MessageKind messageKind, ContentWriter contentWriter)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    contentWriter.write(new DataOutputStream(bytes));
    write(out, messageKind, bytes);
  }

  static void write(OutputStream out, MessageKind messageKind, ByteArrayOutputStream content)
      throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    data.writeInt(content.size());
    data.writeByte(messageKind.code);
    content.writeTo(data);
    data.flush();
  }

  /** Reads the next message, of a limited size; fails at the end of the pipe. */
  static Message read(InputStream in, int largest) throws IOException {
    DataInputStream data = new DataInputStream(in);
    int length = data.readInt();
    int code = data.readUnsignedByte();
    Optional<MessageKind> kind = MessageKind.of(code);
    if (length < 0 || length > largest || kind.isEmpty()) {
      throw new IOException("a message of kind " + code + " and " + length + " bytes isn't known");
    }
    byte[] content = data.readNBytes(length);
    if (content.length < length) {
      throw new EOFException("a message is cut off");
    }
    return new Message(kind.get(), new DataInputStream(new ByteArrayInputStream(content)));
  }
}
