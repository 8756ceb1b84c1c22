// SPDX-License-Identifier: Apache-2.0
package io.tidemark.objects.natives;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Constant pool of a class file, as far as it takes to lead a call to another class. */
final class ClassFile {

  private static final int COUNT_AT = 8;
  private static final int UTF8 = 1;
  private static final int CLASS = 7;
  private static final int METHOD = 10;

  private final ByteBuffer bytes;
  private final int[] at;
  private final int end;

  ClassFile(byte[] content) {
    bytes = ByteBuffer.wrap(content.clone());
    at = new int[unsigned(COUNT_AT)];
    int place = COUNT_AT + 2;
    for (int i = 1; i < at.length; i++) {
      at[i] = place;
      int tag = bytes.get(place);
      place += length(tag, place);
      if (tag == 5 || tag == 6) { // long and double take two numbers
        i++;
      }
    }
    end = place;
  }

  private int length(int tag, int place) {
    return switch (tag) {
      case UTF8 -> 3 + unsigned(place + 1);
      case 3, 4, 9, METHOD, 11, 12, 17, 18 -> 5;
      case 5, 6 -> 9;
      case CLASS, 8, 16, 19, 20 -> 3;
      case 15 -> 4;
      default -> throw new IllegalArgumentException("constant " + tag + " isn't known");
    };
  }

  private int unsigned(int place) {
    return Short.toUnsignedInt(bytes.getShort(place));
  }

  private String text(int constant) {
    int place = at[constant];
    return new String(bytes.array(), place + 3, unsigned(place + 1), StandardCharsets.ISO_8859_1);
  }

  /** Returns the name that a constant of a class or of a name and type begins with. */
  private String name(int constant) {
    return text(unsigned(at[constant] + 1));
  }

  /**
   * Returns the class with the calls of a static method led to a method of the same name and type.
   *
   * @param owner the class that has the method
   * @param target the class to call instead
   * @throws IllegalArgumentException if there is no such call
   */
  byte[] redirected(String owner, String method, String target) throws IOException {
    int added = at.length + 1;
    boolean found = false;
    for (int i = 1; i < at.length; i++) {
      int place = at[i];
      if (place > 0
          && bytes.get(place) == METHOD
          && name(unsigned(place + 1)).equals(owner)
          && name(unsigned(place + 3)).equals(method)) {
        bytes.putShort(place + 1, (short) added);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalArgumentException(owner + " doesn't call " + method);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(out);
    data.write(bytes.array(), 0, COUNT_AT);
    data.writeShort(at.length + 2);
    data.write(bytes.array(), COUNT_AT + 2, end - COUNT_AT - 2);
    data.writeByte(UTF8);
    data.writeUTF(target);
    data.writeByte(CLASS);
    data.writeShort(at.length);
    data.write(bytes.array(), end, bytes.capacity() - end);
    return out.toByteArray();
  }
}
