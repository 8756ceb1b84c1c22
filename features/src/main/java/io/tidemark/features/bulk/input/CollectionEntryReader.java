// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.features.bulk.input.ByteInput.Delimiters;
import io.tidemark.features.geojson.GeoJson;
import io.tidemark.features.geojson.InvalidFeatureException;
import io.tidemark.features.geojson.ReferenceSystem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the features of a {@code FeatureCollection} of any size. Only the outermost object and
 * its list are parsed here. The end of a feature is found by its brackets; the parser decides
 * whether it is a valid feature.
 */
final class CollectionEntryReader implements EntryReader {

  private static final Delimiters BRACKETS = Delimiters.of("{}[]\"");
  private static final Delimiters QUOTED = Delimiters.of("\"\\");

  private final ByteInput in;
  private State state = State.BEFORE;
  private long position;

  private enum State {
    BEFORE,
    WITHIN,
    ENDED
  }

  CollectionEntryReader(ByteInput in) {
    this.in = in;
  }

  @Override
  public String unit() {
    return "feature";
  }

  @Override
  public Optional<InputEntry> next() throws IOException {
    if (state == State.BEFORE) {
      expect('{', "a FeatureCollection begins with {");
      skipToFeatures();
    }
    if (state == State.ENDED) {
      return Optional.empty();
    }
    int c = in.peekNonBlank();
    if (c == ']') {
      in.next();
      checkRest();
      return Optional.empty();
    }
    if (position > 0) {
      expect(',', "features of a list are separated by commas");
      in.peekNonBlank();
    }
    long line = in.line();
    return Optional.of(new InputEntry(++position, line, value().toByteArray()));
  }

  /** Passes the members before the features. */
  private void skipToFeatures() throws IOException {
    if (in.peekNonBlank() == '}') {
      throw refused("the object has no features; a FeatureCollection is needed");
    }
    do {
      String name = name();
      if (name.equals("features")) {
        expect('[', "the features are a list");
        state = State.WITHIN;
        return;
      }
      member(name);
    } while (hasNextMember());
    throw refused(
        "the object has no member 'features'; only a FeatureCollection is taken, or a feature a"
            + " line");
  }

  /**
   * Passes the value of a member that isn't the list of features, and checks it if it is the crs.
   */
  private void member(String name) throws IOException {
    ByteArrayOutputStream text = value();
    if (!name.equals("crs")) {
      return;
    }
    try {
      ReferenceSystem.requireWgs84Value(GeoJson.value(text.toString(UTF_8)));
    } catch (InvalidFeatureException e) {
      throw refused(e.getMessage(), e);
    }
  }

  /** Checks that the rest of the document is complete; if it isn't, the file was truncated. */
  private void checkRest() throws IOException {
    while (hasNextMember()) {
      String name = name();
      if (name.equals("features")) {
        throw refused("the object has two members 'features'");
      }
      member(name);
    }
    if (in.peekNonBlank() != ByteInput.END) {
      throw refused("something follows after the end of the FeatureCollection");
    }
    state = State.ENDED;
  }

  /** Returns whether the outermost object has another member; passes its comma, or its end. */
  private boolean hasNextMember() throws IOException {
    if (in.peekNonBlank() == '}') {
      in.next();
      return false;
    }
    expect(',', "members of an object are separated by commas");
    return true;
  }

  private String name() throws IOException {
    if (in.peekNonBlank() != '"') {
      throw refused("a name in quotes is missing");
    }
    String name = value().toString(UTF_8);
    expect(':', "a name is followed by a colon");
    // A colon outside is part of no name; inside, the name was read to its closing quote.
    return name.substring(1, name.length() - 1);
  }

  /** Reads one value and returns its text. */
  private ByteArrayOutputStream value() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream(512);
    int depth = 0;
    int first = in.peekNonBlank();
    boolean plain = first != '{' && first != '[' && first != '"';
    do {
      int c = in.peek();
      if (plain && (c == ',' || c == ']' || c == '}' || c <= ' ') && c != ByteInput.END) {
        break;
      }
      if (c == '"') {
        text(text);
      } else {
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        in.keep(text, requireByte());
      }
      if (depth > 0) {
        in.keepUntil(BRACKETS, text);
      }
    } while (depth > 0 || plain);
    return text;
  }

  private void text(ByteArrayOutputStream text) throws IOException {
    in.keep(text, requireByte());
    while (true) {
      in.keepUntil(QUOTED, text);
      int c = requireByte();
      in.keep(text, c);
      if (c == '"') {
        return;
      }
      in.keep(text, requireByte());
    }
  }

  private int requireByte() throws IOException {
    int c = in.next();
    if (c == ByteInput.END) {
      throw refused("the file ends in the middle; is it whole?");
    }
    return c;
  }

  private void expect(int wanted, String rule) throws IOException {
    if (in.peekNonBlank() != wanted) {
      throw refused(
          in.peek() == ByteInput.END
              ? "the file ends in the middle; is it whole?"
              : "'%c' is found; %s".formatted(in.peek(), rule));
    }
    in.next();
  }

  private InvalidInputException refused(String problem) {
    return refused(problem, null);
  }

  private InvalidInputException refused(@Nullable String problem, @Nullable Exception cause) {
    return new InvalidInputException("line %d: %s".formatted(in.line(), problem), cause);
  }
}
