// SPDX-License-Identifier: Apache-2.0
package io.tidemark.features.bulk.input;

import io.tidemark.objects.FileErrors;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Source of features.
 *
 * @param file null when it is a stream; if its name ends in {@code .gz}, it is compressed
 * @param stream null when it is a file; it can be read only once
 * @param name the name used in messages
 * @param format the format of the features
 * @param csv how CSV is read, if it is CSV
 */
public record Input(
    @Nullable Path file,
    @Nullable InputStream stream,
    String name,
    InputFormat format,
    CsvOptions csv) {

  static final String COMPRESSED = ".gz";

  /** Returns an input from a file, in the format that its name implies. */
  public static Input of(Path file) {
    return of(
        file,
        InputFormat.of(file.toString())
            .orElseThrow(
                () ->
                    new InvalidInputException(
                        "the name of %s doesn't tell its format; give geojson, geojsonseq or csv as --format"
                            .formatted(file))));
  }

  /** Returns an input from a file. */
  public static Input of(Path file, InputFormat inputFormat) {
    return new Input(file, null, file.toString(), inputFormat, CsvOptions.standard());
  }

  /** Returns an input from a stream, which isn't compressed. */
  public static Input of(InputStream stream, InputFormat inputFormat) {
    return of(stream, "standard input", inputFormat);
  }

  /** Returns an input from a stream with a name for messages. */
  public static Input of(InputStream stream, String name, InputFormat inputFormat) {
    return new Input(null, stream, name, inputFormat, CsvOptions.standard());
  }

  /** Returns a copy with other options for CSV. */
  public Input with(CsvOptions options) {
    return new Input(file, stream, name, format, options);
  }

  /** Returns whether a file of that name is compressed. */
  static boolean isCompressed(String fileName) {
    return fileName.toLowerCase(Locale.ROOT).endsWith(COMPRESSED);
  }

  /** Returns whether the input is a file whose name says that it is compressed. */
  public boolean isCompressed() {
    return file != null && isCompressed(file.toString());
  }

  /** Returns the stored size in bytes; empty when unknown. */
  public OptionalLong size() {
    if (file == null) {
      return OptionalLong.empty();
    }
    try {
      BasicFileAttributes known = Files.readAttributes(file, BasicFileAttributes.class);
      // A pipe has a name and a size, too, but that isn't the number of bytes it will deliver.
      return known.isRegularFile() ? OptionalLong.of(known.size()) : OptionalLong.empty();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Returns whether the input can be read again. */
  public boolean isRepeatable() {
    return size().isPresent();
  }

  private InvalidInputException unreadable(IOException e) {
    return new InvalidInputException(
        "%s can't be read: %s".formatted(name, FileErrors.reason(e)), e);
  }

  /** Returns an upper limit of the positions that its entries can have. */
  public long mostPositions() {
    OptionalLong size = size();
    boolean plain = size.isPresent() && !isCompressed();
    return plain ? size.getAsLong() + 2 : 1_000_000_000_000L;
  }

  /** Opens the input for reading. */
  public InputReader open() throws IOException {
    CountingStream countingStream = new CountingStream(bytes());
    InputStream plain = isCompressed() ? new GzipStream(countingStream) : countingStream;
    ByteInput bytes = new ByteInput(plain);
    return switch (format) {
      case GEOJSON ->
          new InputReader(countingStream, new CollectionEntryReader(bytes), EntryParser::geoJson);
      case GEOJSON_SEQ ->
          new InputReader(
              countingStream,
              bytes.peekNonBlank() == SeparatedEntryReader.RS
                  ? new SeparatedEntryReader(bytes)
                  : new LineEntryReader(bytes),
              EntryParser::geoJson);
      case CSV -> {
        EntryReader entryReader = new CsvEntryReader(bytes);
        InputEntry header =
            entryReader
                .next()
                .orElseThrow(
                    () -> new InvalidInputException(name + " is empty; CSV begins with a header"));
        yield new InputReader(countingStream, entryReader, CsvParser.of(header.text(), csv));
      }
    };
  }

  private InputStream bytes() {
    try {
      return file == null ? Objects.requireNonNull(stream) : Files.newInputStream(file);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Stream that counts the bytes read, for progress reports. */
  static final class CountingStream extends FilterInputStream {
    private volatile long count;

    CountingStream(InputStream in) {
      super(in);
    }

    long count() {
      return count;
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      add(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int read = super.read(bytes, from, length);
      add(Math.max(0, read));
      return read;
    }

    /** Only one thread reads. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void add(int bytes) {
      count += bytes;
    }
  }
}
