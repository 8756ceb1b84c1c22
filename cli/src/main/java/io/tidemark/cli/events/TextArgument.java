// SPDX-License-Identifier: Apache-2.0
package io.tidemark.cli.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.events.model.InvalidEventPayloadException;
import io.tidemark.ledger.internal.transfer.TransferException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Text from the command line, a file or standard input. */
final class TextArgument {

  /** Maximum length of an argument or a line in characters: far more than an event can have. */
  private static final int LONGEST = 16 << 20;

  private static final String STANDARD_INPUT = "-";

  private TextArgument() {}

  /** Line with its position in the input. */
  record Line(String text, String place) {}

  /** Resolves an argument: itself, the text of {@code @FILE}, or for {@code -} standard input. */
  static String resolve(String argument) {
    boolean file = argument.startsWith("@");
    if (!file && !argument.equals(STANDARD_INPUT)) {
      return argument;
    }
    String name = file ? argument.substring(1) : argument;
    StringBuilder text = new StringBuilder();
    read(name, reader -> append(reader, text, displayName(name), ReadLimit.END));
    return text.toString();
  }

  /** Passes each line that isn't blank to an action, as soon as it is read. */
  static void eachLine(String name, Consumer<Line> action) {
    read(
        name,
        reader -> {
          long number = 0;
          StringBuilder text = new StringBuilder();
          boolean more = true;
          while (more) {
            number++;
            text.setLength(0);
            String place = displayName(name) + ", line " + number;
            more = append(reader, text, place, ReadLimit.LINE);
            if (!text.toString().isBlank()) {
              action.accept(new Line(text.toString(), place));
            }
          }
        });
  }

  /** Limit of a read. */
  private enum ReadLimit {
    LINE,
    END
  }

  private interface Reading {
    void from(Reader reader) throws IOException;
  }

  private static void read(String name, Reading reading) {
    try (InputStream in =
            name.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(Path.of(name));
        Reader reader = new BufferedReader(new InputStreamReader(in, UTF_8.newDecoder()))) {
      reading.from(reader);
    } catch (CharacterCodingException e) {
      throw new InvalidEventPayloadException(displayName(name) + " isn't UTF-8; convert it");
    } catch (IOException e) {
      throw TransferException.reading(displayName(name), e);
    }
  }

  /** Reads on; returns whether there may be more. */
  private static boolean append(
      Reader reader, StringBuilder text, String place, ReadLimit readLimit) throws IOException {
    for (int c = reader.read(); c >= 0; c = reader.read()) {
      if (c == '\n' && readLimit == ReadLimit.LINE) {
        return true;
      }
      if (text.length() == LONGEST) {
        throw new InvalidEventPayloadException(place + " is longer than any event can be");
      }
      text.append((char) c);
    }
    return false;
  }

  private static String displayName(String name) {
    return name.equals(STANDARD_INPUT) ? "standard input" : name;
  }
}
